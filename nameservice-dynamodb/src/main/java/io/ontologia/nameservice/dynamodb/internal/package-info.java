/** How records are kept in a DynamoDB table. */
@NullMarked
package io.ontologia.nameservice.dynamodb.internal;

import org.jspecify.annotations.NullMarked;
