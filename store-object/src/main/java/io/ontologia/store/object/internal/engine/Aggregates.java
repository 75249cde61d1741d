package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Aggregate;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.kernel.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the result of an aggregation. */
final class Aggregates {
    private Aggregates() {}

    static Map<String, @Nullable Object> read(AggregateQuery query, ResultSet rows) throws SQLException {
        Map<String, @Nullable Object> group = new LinkedHashMap<>();
        int column = 1;
        for (var path : query.groupBy()) {
            group.put(path.toString(), Json.parse(rows.getString(column++)));
        }
        for (Aggregate aggregate : query.aggregates()) {
            if (aggregate.function() == Aggregate.Function.SUM) {
                group.put(
                        aggregate.name(),
                        Sums.value(rows.getObject(column), rows.getObject(column + 1), rows.getString(column + 2)));
                column += 3;
                continue;
            }
            Object value = rows.getObject(column++);
            group.put(
                    aggregate.name(),
                    AggregateSql.isJson(aggregate) && value != null ? Json.parse((String) value) : value);
        }
        return group;
    }
}
