package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.RecordIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A conditional update of one item, put together piece by piece. Every condition compares an attribute with a value; comparing two
 * values is the caller's job, and every change requires the item, because an update would create it. Used by one thread.
 */
final class Change {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");

    private final List<String> conditions = new ArrayList<>();
    private final List<String> assignments = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final Map<String, String> placeholders = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    /** Requires that an item is there. */
    static Change ofExisting(String keyAttribute) {
        Change change = new Change();
        change.conditions.add("attribute_exists(" + change.name(keyAttribute) + ")");
        return change;
    }

    /** Requires a value of an attribute. */
    Change where(String attribute, AttributeValue value) {
        conditions.add(name(attribute) + " = " + value(value));
        return this;
    }

    /** Requires that an attribute is missing. */
    Change whereMissing(String attribute) {
        conditions.add("attribute_not_exists(" + name(attribute) + ")");
        return this;
    }

    /** Requires a value of a concern, watermark and payload, with the payload as it is stored. */
    Change where(Concern concern, ConcernValue expected, AttributeValue payload) {
        String watermark = name(concern.watermarkName());
        String expectedWatermark = watermark + " = " + value(AttributeValue.fromN(Long.toString(expected.watermark())));
        conditions.add(
                expected.watermark() == 0
                        ? "(attribute_not_exists(" + watermark + ") OR " + expectedWatermark + ")"
                        : expectedWatermark);
        if (expected.payload().isPresent()) {
            return where(concern.wireName(), payload);
        }
        String name = name(concern.wireName());
        conditions.add("(attribute_not_exists(" + name + ") OR attribute_type(" + name + ", "
                + value(AttributeValue.fromS("NULL")) + ") OR " + name + " = "
                + value(AttributeValue.fromM(Map.of())) + ")");
        return this;
    }

    /** Requires that the item is not that of another record of the same name, as far as it is marked. */
    Change where(RecordIdentity record) {
        if (!record.incarnation().isEmpty()) {
            String name = name(RecordItems.CREATED_BY);
            conditions.add("(attribute_not_exists(" + name + ") OR " + name + " = "
                    + value(AttributeValue.fromS(record.incarnation())) + ")");
        } else if (WHOLE.matcher(record.created()).matches()) {
            return where("created_at", AttributeValue.fromN(record.created()));
        }
        return this;
    }

    /** Sets an attribute. */
    Change set(String attribute, AttributeValue value) {
        assignments.add(name(attribute) + " = " + value(value));
        return this;
    }

    /** Sets a concern, who wrote it, and what its index needs. */
    Change set(Concern concern, ConcernValue next, String writer) {
        set(concern.watermarkName(), AttributeValue.fromN(Long.toString(next.watermark())));
        set(concern.wireName(), RecordItems.payload(next));
        set(RecordItems.writerOf(concern), AttributeValue.fromS(writer));
        if (concern == Concern.STATUS) {
            RecordItems.state(next)
                    .ifPresentOrElse(
                            state -> set(RecordItems.STATUS_STATE, state),
                            () -> removals.add(name(RecordItems.STATUS_STATE)));
        }
        return this;
    }

    /** The request, which returns the item: after it, or what made its condition fail. */
    UpdateItemRequest request(String table, Map<String, AttributeValue> key, ReturnValue returned) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(key)
                .conditionExpression(condition())
                .updateExpression("SET " + String.join(", ", assignments)
                        + (removals.isEmpty() ? "" : " REMOVE " + String.join(", ", removals)))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(returned)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    String condition() {
        return String.join(" AND ", conditions);
    }

    Map<String, String> names() {
        return names;
    }

    Map<String, AttributeValue> values() {
        return values;
    }

    private String name(String attribute) {
        String placeholder = placeholders.computeIfAbsent(attribute, name -> "#a" + placeholders.size());
        names.put(placeholder, attribute);
        return placeholder;
    }

    private String value(AttributeValue value) {
        String placeholder = ":v" + values.size();
        values.put(placeholder, value);
        return placeholder;
    }
}
