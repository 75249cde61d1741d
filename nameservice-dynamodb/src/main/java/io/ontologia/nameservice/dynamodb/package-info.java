/**
 * Nameservices on DynamoDB, one item for each record. Opened by {@code dynamodb://table} through {@link
 * io.ontologia.nameservice.Nameservices}; {@link io.ontologia.nameservice.dynamodb.NameserviceTable} makes the table.
 */
@NullMarked
package io.ontologia.nameservice.dynamodb;

import org.jspecify.annotations.NullMarked;
