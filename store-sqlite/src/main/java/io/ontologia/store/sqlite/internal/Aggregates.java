package io.ontologia.store.sqlite.internal;

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
        for (var aggregate : query.aggregates()) {
            group.put(aggregate.name(), value(rows.getObject(column++)));
        }
        return group;
    }

    private static @Nullable Object value(@Nullable Object result) {
        if (result instanceof byte[] blob) {
            return BigIntegers.ofBlob(blob);
        }
        return result instanceof Integer small ? Long.valueOf(small) : result;
    }
}
