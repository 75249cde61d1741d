package io.ontologia.core.internal;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Order;
import io.ontologia.core.spi.FilterEvaluator;
import io.ontologia.core.spi.StoredRow;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row in this process, with what filters, orders and aggregates may look at.
 *
 * @param left the entity at the left end, when somebody asks for it and it is there
 * @param right the entity at the right end, when somebody asks for it and it is there
 */
record RowDocument(
        FoundRow row,
        @Nullable Map<String, @Nullable Object> left,
        @Nullable Map<String, @Nullable Object> right) {

    /** An entity, which has no ends. */
    static RowDocument of(StoredRow row) {
        return new RowDocument(FoundRow.of(row), null, null);
    }

    @Nullable Object at(FieldPath path) {
        return FilterEvaluator.value(path, this::document);
    }

    boolean passes(Filter filter) {
        return FilterEvaluator.evaluate(filter, this::document).orElse(false);
    }

    private @Nullable Object document(FieldPath.Scope scope) {
        return switch (scope) {
            case SELF -> row.fields();
            case LEFT -> left;
            case RIGHT -> right;
            case IDENTITY -> identity(row.identity());
        };
    }

    private static Map<String, Object> identity(Identity identity) {
        if (identity instanceof Identity.OfEntity entity) {
            return Map.of("key", entity.key());
        }
        Identity.OfRelation ends = (Identity.OfRelation) identity;
        return Map.of("left_key", ends.leftKey(), "right_key", ends.rightKey(), "instance_key", ends.instanceKey());
    }

    /** What the orders say; rows that they do not tell apart stay as they are in a stable sort. */
    static Comparator<RowDocument> sortedBy(List<Order> orders) {
        return (one, other) -> {
            for (Order order : orders) {
                int result = compare(one.at(order.path()), other.at(order.path()), order.direction());
                if (result != 0) {
                    return result;
                }
            }
            return 0;
        };
    }

    private static int compare(@Nullable Object one, @Nullable Object other, Order.Direction direction) {
        if (one == null || other == null) {
            return Boolean.compare(one == null, other == null);
        }
        int ascending = JsonOrder.INSTANCE.compare(one, other);
        return direction == Order.Direction.ASCENDING ? ascending : -ascending;
    }
}
