/** The nameservice on DynamoDB, run against DynamoDB Local. */
@NullMarked
package io.ontologia.nameservice.dynamodb;

import org.jspecify.annotations.NullMarked;
