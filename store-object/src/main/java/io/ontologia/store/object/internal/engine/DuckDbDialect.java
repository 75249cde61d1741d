package io.ontologia.store.object.internal.engine;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.spi.FilterDialect;
import io.ontologia.core.spi.SqlFragment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Filters in DuckDB's words. Its JSON functions keep the digits of every integer, and its texts compare by their UTF-8
 * bytes; a value that also has a column of its own is read there. One dialect for one statement.
 */
final class DuckDbDialect implements FilterDialect {
    /** Finds the columns of fields. */
    interface Columns {
        /** The column that holds the same as a field of a document, and its kind. */
        Optional<Column> find(String document, String field);
    }

    /** A column with a field's values. */
    record Column(String sql, FieldKind kind) {}

    /** Longer lists are passed as a parameter: a statement of literals takes the longer to plan the more there are. */
    static final int MOST_LITERALS = 100;

    private final Columns columns;
    private final Map<JsonValue, FieldKind> plain = new HashMap<>();
    private int items;
    private boolean insideItems;

    DuckDbDialect(Columns columns) {
        this.columns = columns;
    }

    @Override
    public JsonValue at(String document, List<String> path) {
        return (path.size() == 1 ? columns.find(document, path.get(0)) : Optional.<Column>empty())
                .map(column -> column(column.sql(), column.kind()))
                .orElseGet(() -> json(document, FieldPath.jsonPath(path)));
    }

    @Override
    public JsonValue text(String column) {
        return column(column, FieldKind.STR);
    }

    /** A value that is a column, or an expression, of a plain kind. */
    JsonValue column(String sql, FieldKind kind) {
        JsonValue value = new JsonValue(kind.wireName(), sql, "CAST(to_json(" + sql + ") AS VARCHAR)");
        plain.put(value, kind);
        return value;
    }

    /** A value that is found by a path in JSON text. */
    JsonValue json(String document, String path) {
        String arguments = document + ", " + Literals.text(path);
        return new JsonValue(
                "json_type(" + arguments + ")",
                "json_extract_string(" + arguments + ")",
                "CAST(json_extract(" + arguments + ") AS VARCHAR)");
    }

    /** The kind of a value that is a column. */
    Optional<FieldKind> kindOf(JsonValue value) {
        return Optional.ofNullable(plain.get(value));
    }

    @Override
    public String isPresent(JsonValue value) {
        return kindOf(value).isPresent()
                ? value.value() + " IS NOT NULL"
                : "coalesce(" + value.type() + ", 'NULL') <> 'NULL'";
    }

    @Override
    public String isText(JsonValue value) {
        return kindOf(value)
                .map(kind -> presentIf(kind == FieldKind.STR, value))
                .orElse(value.type() + " = 'VARCHAR'");
    }

    @Override
    public String isNumber(JsonValue value) {
        return kindOf(value)
                .map(kind -> presentIf(kind == FieldKind.INT || kind == FieldKind.FLOAT, value))
                .orElse(value.type() + " IN ('UBIGINT', 'BIGINT', 'DOUBLE')");
    }

    @Override
    public String isBool(JsonValue value) {
        return kindOf(value)
                .map(kind -> presentIf(kind == FieldKind.BOOL, value))
                .orElse(value.type() + " = 'BOOLEAN'");
    }

    private static String presentIf(boolean possible, JsonValue value) {
        return possible ? value.value() + " IS NOT NULL" : "false";
    }

    @Override
    public SqlFragment compareText(JsonValue value, Filter.Op op, String text) {
        return kindOf(value).filter(kind -> kind != FieldKind.STR).isPresent()
                ? SqlFragment.of("false")
                : SqlFragment.of(value.value() + " " + FilterDialect.operator(op) + " " + Literals.text(text));
    }

    @Override
    public SqlFragment compareNumber(JsonValue value, Filter.Op op, Number number) {
        FieldKind kind = kindOf(value).orElse(FieldKind.JSON);
        return SqlFragment.of(
                switch (kind) {
                    case INT -> NumberTests.ofLong(value.value(), op, number);
                    case FLOAT -> NumberTests.ofDouble(value.value(), op, number);
                    case STR, BOOL, NONE -> "false";
                    case JSON ->
                        "CASE WHEN " + isDigits(value) + " THEN " + NumberTests.ofDigits(value.value(), op, number)
                                + " ELSE "
                                + NumberTests.ofDouble("TRY_CAST(" + value.value() + " AS DOUBLE)", op, number)
                                + " END";
                });
    }

    @Override
    public SqlFragment textIn(JsonValue value, List<String> texts) {
        return kindOf(value).filter(kind -> kind != FieldKind.STR).isPresent()
                ? SqlFragment.of("false")
                : isAmong(value.value(), texts, "VARCHAR");
    }

    @Override
    public SqlFragment numberIn(JsonValue value, List<Number> numbers) {
        return switch (kindOf(value).orElse(FieldKind.JSON)) {
            case INT -> isAmong(value.value(), NumberLists.longs(numbers), "BIGINT");
            case FLOAT -> isAmong(value.value() + " + 0.0", NumberLists.doubles(numbers), "DOUBLE");
            case STR, BOOL, NONE -> SqlFragment.of("false");
            case JSON ->
                SqlFragment.of("CASE WHEN " + isDigits(value) + " THEN ")
                        .then(isAmong(value.value(), NumberLists.digits(numbers), "VARCHAR"))
                        .then(" ELSE ")
                        .then(isAmong(
                                "TRY_CAST(" + value.value() + " AS DOUBLE) + 0.0",
                                NumberLists.doubles(numbers),
                                "DOUBLE"))
                        .then(" END");
        };
    }

    /** Whether a value is one of a list that is the parameter. */
    private SqlFragment isAmong(String value, List<String> constants, String type) {
        if (constants.isEmpty()) {
            return SqlFragment.of("false");
        }
        if (constants.size() <= MOST_LITERALS) {
            return SqlFragment.of(constants.stream()
                    .map(constant -> "CAST(" + Literals.text(constant) + " AS " + type + ")")
                    .collect(Collectors.joining(", ", "(" + value + ") IN (", ")")));
        }
        String list = "CAST(CAST(? AS VARCHAR[]) AS " + type + "[])";
        // A join is fast however long the list is, but there are none inside the test of a list's items.
        return insideItems
                ? SqlFragment.of("list_contains(" + list + ", " + value + ")", constants)
                : SqlFragment.of("(" + value + ") IN (SELECT unnest(" + list + "))", constants);
    }

    /** Whether a JSON number is an integer. DuckDB calls those beyond 64 bits doubles, but keeps their digits. */
    static String isDigits(JsonValue value) {
        return "(" + value.type() + " <> 'DOUBLE' OR NOT (contains(" + value.value() + ", '.') OR contains("
                + value.value() + ", 'e') OR contains(" + value.value() + ", 'E')))";
    }

    @Override
    public SqlFragment equalsBool(JsonValue value, boolean bool) {
        return SqlFragment.of(
                switch (kindOf(value).orElse(FieldKind.JSON)) {
                    case BOOL -> bool ? value.value() : "NOT " + value.value();
                    case JSON -> value.value() + " = '" + bool + "'";
                    case STR, INT, FLOAT, NONE -> "false";
                });
    }

    @Override
    public SqlFragment testText(JsonValue value, Filter.TextOp op, String part) {
        if (kindOf(value).filter(kind -> kind != FieldKind.STR).isPresent()) {
            return SqlFragment.of("false");
        }
        String function = switch (op) {
            case STARTS_WITH -> "starts_with";
            case ENDS_WITH -> "suffix";
            case CONTAINS -> "contains";
        };
        return SqlFragment.of(function + "(" + value.value() + ", " + Literals.text(part) + ")");
    }

    @Override
    public SqlFragment anyItem(JsonValue list, List<String> itemPath, Function<JsonValue, SqlFragment> test) {
        if (kindOf(list).isPresent()) {
            return SqlFragment.of("false");
        }
        String item = "item" + ++items;
        insideItems = true;
        SqlFragment condition = test.apply(json("CAST(" + item + " AS VARCHAR)", FieldPath.jsonPath(itemPath)));
        insideItems = false;
        // Not EXISTS with json_each: a join for each list test, and far slower.
        return condition.wrap(
                "coalesce(len(list_filter(CASE WHEN " + list.type() + " = 'ARRAY' THEN json_extract(" + list.json()
                        + ", '$[*]') END, lambda " + item + ": coalesce(",
                ", false))) > 0, false)");
    }
}
