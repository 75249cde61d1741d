package io.ontologia.core.spi;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.Order;
import io.ontologia.core.internal.JsonOrder;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Applies the conditions, order, offset and limit of an aggregation to its groups, in this process. */
public final class GroupSelection {
    private static final String VALUE = "value";

    private GroupSelection() {}

    /**
     * The groups that an aggregation returns.
     *
     * @param groups every group, in the order of the values grouped by
     */
    public static List<Map<String, @Nullable Object>> of(
            AggregateQuery query, Stream<Map<String, @Nullable Object>> groups) {
        query.having().forEach(having -> query.column(having.name()));
        query.order().forEach(order -> query.column(order.name()));
        Stream<Map<String, @Nullable Object>> chosen = groups.filter(group -> passes(query, group));
        if (!query.order().isEmpty()) {
            chosen = chosen.sorted(sortedBy(query.order()));
        }
        chosen = chosen.skip(query.rows().offset());
        return query.rows().limit().isPresent()
                ? chosen.limit(query.rows().limit().getAsLong()).toList()
                : chosen.toList();
    }

    /** Unlike a filter's, a condition on groups is false for a value of another type, whatever the operator. */
    private static boolean passes(AggregateQuery query, Map<String, @Nullable Object> group) {
        for (Aggregate.Having having : query.having()) {
            Object value = group.get(having.name());
            boolean ofOneKind = having.value() instanceof String ? value instanceof String : value instanceof Number;
            Map<String, @Nullable Object> tested = new LinkedHashMap<>();
            tested.put(VALUE, value);
            if (!ofOneKind
                    || !FilterEvaluator.passes(
                            new Filter.At(FieldPath.of(VALUE), new Filter.Compare(having.op(), having.value())),
                            tested)) {
                return false;
            }
        }
        return true;
    }

    private static Comparator<Map<String, @Nullable Object>> sortedBy(List<GroupOrder> orders) {
        return (one, other) -> {
            for (GroupOrder order : orders) {
                int result = compare(one.get(order.name()), other.get(order.name()), order.direction());
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
