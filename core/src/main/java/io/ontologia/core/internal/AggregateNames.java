package io.ontologia.core.internal;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names in one aggregation. A storage gets paths with keys read from the identity; the results go back under the names
 * that the caller used.
 */
final class AggregateNames {
    private final AggregateQuery asked;
    private final KeyPaths keys;
    private final TypeRef type;
    private final List<FieldPath> groups;

    AggregateNames(AggregateQuery asked, KeyPaths keys) {
        this.asked = asked;
        this.keys = keys;
        this.type = asked.rows().type();
        this.groups =
                asked.groupBy().stream().map(path -> keys.resolve(type, path)).toList();
        requireDistinct();
    }

    private void requireDistinct() {
        Set<String> taken = new HashSet<>();
        groups.forEach(path -> taken.add(path.toString()));
        for (Aggregate aggregate : asked.aggregates()) {
            if (taken.contains(aggregate.name())) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid aggregate '" + aggregate.name() + "'",
                        "what is grouped by has the same name",
                        "rename the aggregate");
            }
        }
    }

    /** What the storage computes. */
    AggregateQuery resolved(RowQuery rows) {
        List<GroupOrder> order = asked.order().isEmpty()
                ? rows.order().stream()
                        .map(one -> new GroupOrder(one.path().toString(), one.direction()))
                        .toList()
                : asked.order();
        AggregateQuery resolved = new AggregateQuery(
                unordered(rows),
                asked.aggregates().stream().map(one -> keys.resolve(type, one)).toList(),
                groups,
                asked.having().stream()
                        .map(one -> new Aggregate.Having(resolved(one.name()), one.op(), one.value()))
                        .toList(),
                order.stream()
                        .map(one -> new GroupOrder(resolved(one.name()), one.direction()))
                        .toList());
        resolved.having().forEach(one -> resolved.column(one.name()));
        resolved.order().forEach(one -> resolved.column(one.name()));
        return resolved;
    }

    private static RowQuery unordered(RowQuery rows) {
        return new RowQuery(
                rows.type(),
                rows.window(),
                rows.filter(),
                rows.leftType(),
                rows.rightType(),
                rows.schemaVersion(),
                rows.restriction(),
                List.of(),
                rows.limit(),
                rows.offset(),
                rows.after());
    }

    private String resolved(String name) {
        for (int i = 0; i < groups.size(); i++) {
            if (asked.groupBy().get(i).toString().equals(name)) {
                return groups.get(i).toString();
            }
        }
        return name;
    }

    /** Results as the caller asked for them. */
    List<Map<String, @Nullable Object>> asAsked(List<Map<String, @Nullable Object>> results, FilterCheck types) {
        return results.stream().map(result -> asAsked(result, types)).toList();
    }

    private Map<String, @Nullable Object> asAsked(Map<String, @Nullable Object> result, FilterCheck types) {
        Map<String, @Nullable Object> renamed = new LinkedHashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            renamed.put(
                    asked.groupBy().get(i).toString(), result.get(groups.get(i).toString()));
        }
        for (Aggregate aggregate : asked.aggregates()) {
            Object value = result.get(aggregate.name());
            // A float may be stored as 3 or as 3.0, and not every storage can tell which.
            boolean isReal = aggregate.function() == Aggregate.Function.SUM
                    && aggregate.path().filter(types::isFloat).isPresent();
            renamed.put(aggregate.name(), isReal && value instanceof Number sum ? (Object) sum.doubleValue() : value);
        }
        return renamed;
    }
}
