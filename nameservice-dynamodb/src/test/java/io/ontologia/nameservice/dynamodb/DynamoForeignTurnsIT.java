package io.ontologia.nameservice.dynamodb;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.testkit.ForeignRecords;
import io.ontologia.testkit.ForeignTurnsContract;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Our client and a foreign writer on the same items. */
class DynamoForeignTurnsIT extends ForeignTurnsContract {
    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    @Override
    protected Nameservice open(Clock clock) {
        return Nameservices.open(dynamo.uri(), NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected ForeignRecords foreign() {
        return new ForeignItems();
    }

    /** Sends the requests of the specification. */
    private final class ForeignItems implements ForeignRecords {
        private final String table = dynamo.location().table();

        @Override
        public Optional<Map<String, @Nullable Object>> read(String alias) {
            try (DynamoDbClient client = dynamo.client()) {
                Map<String, AttributeValue> item = client.getItem(
                                get -> get.tableName(table).key(key(alias)).consistentRead(true))
                        .item();
                if (item.isEmpty()) {
                    return Optional.empty();
                }
                Map<String, @Nullable Object> record = new LinkedHashMap<>();
                ATTRIBUTES.forEach(name -> record.put(name, tree(item.get(name))));
                return Optional.of(record);
            }
        }

        @Override
        public void create(String alias, String type, long createdAt) {
            Map<String, AttributeValue> item = new LinkedHashMap<>();
            ForeignRecords.unborn(alias, type, createdAt).forEach((name, value) -> item.put(name, value(value)));
            try (DynamoDbClient client = dynamo.client()) {
                client.putItem(put -> put.tableName(table)
                        .item(item)
                        .conditionExpression("attribute_not_exists(#pk)")
                        .expressionAttributeNames(Map.of("#pk", "pk")));
            }
        }

        @Override
        public void set(String alias, String concern, long watermark, Map<String, ?> payload) {
            update(
                    alias,
                    "SET #v = :v, #p = :p",
                    Map.of("#v", concern + "_v", "#p", concern),
                    Map.of(":v", value(watermark), ":p", value(payload)));
        }

        @Override
        public void retract(String alias, long statusWatermark, long at) {
            update(
                    alias,
                    "SET #r = :true, #sv = :sv, #s = :s",
                    Map.of("#r", "retracted", "#sv", "status_v", "#s", "status"),
                    Map.of(
                            ":true",
                            value(true),
                            ":sv",
                            value(statusWatermark),
                            ":s",
                            value(Map.of("state", "retracted", "retracted_at", at))));
        }

        @Override
        public void remove(String alias) {
            try (DynamoDbClient client = dynamo.client()) {
                client.deleteItem(delete -> delete.tableName(table).key(key(alias)));
            }
        }

        private void update(
                String alias, String expression, Map<String, String> names, Map<String, AttributeValue> values) {
            try (DynamoDbClient client = dynamo.client()) {
                client.updateItem(update -> update.tableName(table)
                        .key(key(alias))
                        .updateExpression(expression)
                        .expressionAttributeNames(names)
                        .expressionAttributeValues(values));
            }
        }

        private static Map<String, AttributeValue> key(String alias) {
            return Map.of("pk", AttributeValue.fromS(alias));
        }

        private static AttributeValue value(@Nullable Object value) {
            if (value == null) {
                return AttributeValue.fromNul(true);
            }
            if (value instanceof Map<?, ?> map) {
                Map<String, AttributeValue> fields = new HashMap<>();
                map.forEach((name, field) -> fields.put(String.valueOf(name), value(field)));
                return AttributeValue.fromM(fields);
            }
            if (value instanceof List<?> list) {
                return AttributeValue.fromL(
                        list.stream().map(ForeignItems::value).toList());
            }
            if (value instanceof Boolean truth) {
                return AttributeValue.fromBool(truth);
            }
            return value instanceof Number
                    ? AttributeValue.fromN(value.toString())
                    : AttributeValue.fromS(String.valueOf(value));
        }

        private static @Nullable Object tree(@Nullable AttributeValue value) {
            if (value == null || Boolean.TRUE.equals(value.nul())) {
                return null;
            }
            if (value.n() != null) {
                return value.n().matches("-?[0-9]+") ? (Object) Long.valueOf(value.n()) : Double.valueOf(value.n());
            }
            if (value.hasM()) {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                value.m().forEach((name, field) -> fields.put(name, tree(field)));
                return fields;
            }
            if (value.hasL()) {
                return value.l().stream().map(ForeignItems::tree).collect(Collectors.toList());
            }
            return value.bool() != null ? value.bool() : value.s();
        }
    }
}
