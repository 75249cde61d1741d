package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.nameservice.NameRecord;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** Replaces an item of version 1 by one of version 2, in the same write that changes it. */
final class Upgrade {
    private Upgrade() {}

    /**
     * The request that does it if the item is still as it was read, attribute by attribute. Attributes that neither version knows
     * stay.
     *
     * @param writerAttribute where the id of the attempt goes
     */
    static PutItemRequest request(
            TableLocation location,
            RecordItems items,
            Map<String, AttributeValue> old,
            NameRecord after,
            String writerAttribute,
            String writer) {
        Change unchanged = Change.ofExisting(location.key());
        old.forEach((name, value) -> {
            if (!name.equals(location.key())) {
                unchanged.where(name, value);
            }
        });
        RecordItems.LEGACY.stream().filter(name -> !old.containsKey(name)).forEach(unchanged::whereMissing);
        if (!old.containsKey("v")) {
            unchanged.whereMissing("v");
        }
        Map<String, AttributeValue> item = new HashMap<>(old);
        item.keySet().removeAll(RecordItems.LEGACY);
        item.putAll(items.item(after));
        item.put(writerAttribute, AttributeValue.fromS(writer));
        return PutItemRequest.builder()
                .tableName(location.table())
                .item(item)
                .conditionExpression(unchanged.condition())
                .expressionAttributeNames(unchanged.names())
                .expressionAttributeValues(unchanged.values())
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }
}
