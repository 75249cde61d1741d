package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.FilterDialect.JsonValue;
import java.util.List;

/**
 * Expressions that order JSON values when they are compared one after the other: booleans, numbers, texts, everything
 * else; the first one is null for what is null or missing. Equal values, and only they, have equal keys.
 */
final class SortKeys {
    private SortKeys() {}

    static List<String> of(JsonValue value, DuckDbDialect dialect) {
        if (dialect.kindOf(value).isPresent()) {
            return List.of(value.value());
        }
        String number = "CASE WHEN " + dialect.isNumber(value) + " THEN ";
        String asDouble = "TRY_CAST(" + value.value() + " AS DOUBLE)";
        String digits = "TRY_CAST(" + value.value() + " AS HUGEINT)";
        return List.of(
                rank(value, dialect),
                number + asDouble + " END",
                // What rounding to a double takes away from an integer.
                number + "CASE WHEN " + DuckDbDialect.isDigits(value) + " THEN coalesce(" + digits + " - TRY_CAST("
                        + asDouble + " AS HUGEINT), 0) ELSE 0 END END",
                "CASE WHEN " + dialect.isText(value) + " THEN " + value.value() + " WHEN " + dialect.isPresent(value)
                        + " AND NOT (" + dialect.isNumber(value) + ") THEN " + value.json() + " END");
    }

    private static String rank(JsonValue value, DuckDbDialect dialect) {
        return "CASE WHEN " + dialect.isBool(value) + " THEN 0 WHEN " + dialect.isNumber(value) + " THEN 1 WHEN "
                + dialect.isText(value) + " THEN 2 WHEN " + dialect.isPresent(value) + " THEN 3 END";
    }
}
