package io.ontologia.core.spi;

import io.ontologia.core.Filter;
import java.util.List;
import java.util.function.Function;

/**
 * How one SQL engine says what filters need of JSON. Conditions are only asked of values for which the matching {@code is…}
 * condition holds, except {@link #isPresent}, which must be false, and not unknown, for null and missing values.
 */
public interface FilterDialect {

    /**
     * A JSON value inside a row, as SQL expressions.
     *
     * @param type tells its JSON type, in whatever form the engine has
     * @param value the value itself
     * @param json the value as JSON text
     */
    record JsonValue(String type, String value, String json) {}

    /** The value at a path of a document. */
    JsonValue at(String document, List<String> path);

    /** The value of a column that holds a text in every row. */
    JsonValue text(String column);

    /** Whether there is a value other than null. */
    String isPresent(JsonValue value);

    /** Whether it is a text. */
    String isText(JsonValue value);

    /** Whether it is a number. */
    String isNumber(JsonValue value);

    /** Whether it is true or false. */
    String isBool(JsonValue value);

    /** A text compared by code point. */
    SqlFragment compareText(JsonValue value, Filter.Op op, String text);

    /** A number compared exactly with a {@code Long}, {@code BigInteger} or {@code Double}. */
    SqlFragment compareNumber(JsonValue value, Filter.Op op, Number number);

    /** Whether a text is one of many, at least one, none of them twice. The cost of the statement hardly grows with them. */
    SqlFragment textIn(JsonValue value, List<String> texts);

    /** As {@link #textIn}, for a number compared exactly with numbers as {@link #compareNumber} takes them. */
    SqlFragment numberIn(JsonValue value, List<Number> numbers);

    /** Whether a boolean is the given one. */
    SqlFragment equalsBool(JsonValue value, boolean bool);

    /** A case-sensitive test of a text. */
    SqlFragment testText(JsonValue value, Filter.TextOp op, String part);

    /** Whether some item of a value, false when it is no list, passes a test; never unknown. */
    SqlFragment anyItem(JsonValue list, List<String> itemPath, Function<JsonValue, SqlFragment> test);

    /** The SQL operator of a comparison. */
    static String operator(Filter.Op op) {
        return switch (op) {
            case EQ -> "=";
            case NE -> "<>";
            case GT -> ">";
            case GTE -> ">=";
            case LT -> "<";
            case LTE -> "<=";
        };
    }
}
