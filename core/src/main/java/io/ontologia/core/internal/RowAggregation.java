package io.ontologia.core.internal;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.ExactSum;
import io.ontologia.core.spi.GroupSelection;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes aggregates in this process, with the results that the storage would give. Memory grows with the groups. */
final class RowAggregation {
    private static final Comparator<List<@Nullable Object>> GROUPS = RowAggregation::compareGroups;

    private final AggregateQuery query;
    private final Map<List<@Nullable Object>, Group> groups = new TreeMap<>(GROUPS);

    /** The smallest JSON text of each value grouped by (1 and 1.0 are one group), and the aggregates so far. */
    private record Group(List<String> texts, List<Accumulator> accumulators) {}

    private RowAggregation(AggregateQuery query) {
        this.query = query;
    }

    static List<Map<String, @Nullable Object>> of(AggregateQuery query, Stream<RowDocument> rows) {
        RowAggregation aggregation = new RowAggregation(query);
        if (query.groupBy().isEmpty()) {
            aggregation.group(List.of());
        }
        rows.forEachOrdered(aggregation::add);
        return aggregation.results();
    }

    private void add(RowDocument row) {
        List<@Nullable Object> values = new ArrayList<>();
        for (FieldPath path : query.groupBy()) {
            values.add(row.at(path));
        }
        Group group = group(values);
        for (int i = 0; i < values.size(); i++) {
            String text = CanonicalJson.write(values.get(i));
            if (CodePointOrder.INSTANCE.compare(text, group.texts().get(i)) < 0) {
                group.texts().set(i, text);
            }
        }
        group.accumulators().forEach(accumulator -> accumulator.add(row));
    }

    private Group group(List<@Nullable Object> values) {
        return groups.computeIfAbsent(
                values,
                key -> new Group(
                        new ArrayList<>(key.stream().map(CanonicalJson::write).toList()),
                        query.aggregates().stream().map(Accumulator::new).toList()));
    }

    private List<Map<String, @Nullable Object>> results() {
        return GroupSelection.of(query, groups.values().stream().map(this::result));
    }

    private Map<String, @Nullable Object> result(Group group) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        for (int i = 0; i < query.groupBy().size(); i++) {
            result.put(
                    query.groupBy().get(i).toString(), Json.parse(group.texts().get(i)));
        }
        group.accumulators().forEach(accumulator -> result.put(accumulator.aggregate.name(), accumulator.result()));
        return result;
    }

    private static int compareGroups(List<@Nullable Object> left, List<@Nullable Object> right) {
        for (int i = 0; i < left.size(); i++) {
            Object one = left.get(i);
            Object other = right.get(i);
            int order = one == null || other == null
                    ? Boolean.compare(one == null, other == null)
                    : JsonOrder.INSTANCE.compare(one, other);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static final class Accumulator {
        private final Aggregate aggregate;
        private final DoubleSummaryStatistics numbers = new DoubleSummaryStatistics();
        private final ExactSum integers = new ExactSum();
        private boolean hasReals;
        private long count;
        private @Nullable Object extreme;

        Accumulator(Aggregate aggregate) {
            this.aggregate = aggregate;
        }

        void add(RowDocument row) {
            Object value = aggregate.path().map(row::at).orElse(null);
            switch (aggregate.function()) {
                case COUNT -> count++;
                case COUNT_WHERE -> count += row.passes(aggregate.filter().orElseThrow()) ? 1 : 0;
                case SUM, AVG -> {
                    if (value instanceof Number number) {
                        numbers.accept(number.doubleValue());
                        if (number instanceof Double) {
                            hasReals = true;
                        } else {
                            integers.add(number);
                        }
                    }
                }
                case AVG_LEN -> {
                    if (value instanceof List<?> list) {
                        numbers.accept(list.size());
                    }
                }
                case MIN -> keep(value, -1);
                case MAX -> keep(value, 1);
            }
        }

        /** Numbers come before texts, so the smallest is a number if there is one, and the largest a text. */
        private void keep(@Nullable Object value, int sign) {
            if ((value instanceof Number || value instanceof String)
                    && (extreme == null || JsonOrder.INSTANCE.compare(value, extreme) * sign > 0)) {
                extreme = value;
            }
        }

        @Nullable Object result() {
            return switch (aggregate.function()) {
                case COUNT, COUNT_WHERE -> count;
                case SUM -> numbers.getCount() == 0 ? null : hasReals ? (Object) numbers.getSum() : integers.value();
                case AVG, AVG_LEN -> numbers.getCount() == 0 ? null : (Object) numbers.getAverage();
                case MIN, MAX -> extreme;
            };
        }
    }
}
