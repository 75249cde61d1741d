package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes the SQL of an aggregation. Columns: one JSON text for each group field, then one value for each aggregate, which is a
 * JSON text where {@link #isJson} says so.
 */
final class AggregateSql {
    private final AggregateQuery query;
    private final RowSql rows;
    private final DuckDbDialect dialect;

    AggregateSql(AggregateQuery query, Function<TypeRef, RowSource> sources) {
        this.query = query;
        this.rows = new RowSql(query.rows(), sources, askedBy(query));
        this.dialect = rows.dialect();
    }

    private static Set<FieldPath.Scope> askedBy(AggregateQuery query) {
        Set<FieldPath.Scope> scopes = EnumSet.allOf(FieldPath.Scope.class);
        scopes.removeIf(scope -> !query.looksAt(scope));
        return scopes;
    }

    /** Whether an aggregate's value comes as JSON text. */
    static boolean isJson(Aggregate aggregate) {
        return aggregate.function() == Aggregate.Function.MIN || aggregate.function() == Aggregate.Function.MAX;
    }

    SqlFragment select() {
        List<SqlFragment> columns = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (int i = 0; i < query.groupBy().size(); i++) {
            JsonValue value = rows.compiler().value(query.groupBy().get(i));
            // Numbers that are equal make one group, whether they are written 1 or 1.0.
            columns.add(SqlFragment.of("min(coalesce(" + value.json() + ", 'null')) AS g" + i));
            List<String> keys = SortKeys.of(value, dialect);
            for (int k = 0; k < keys.size(); k++) {
                String name = "k" + i + "_" + k;
                columns.add(SqlFragment.of(keys.get(k) + " AS " + name));
                order.add(name + " NULLS LAST");
            }
            groups.addAll(keys);
        }
        for (int i = 0; i < query.aggregates().size(); i++) {
            columns.add(expression(query.aggregates().get(i)).then(" AS a" + i));
        }
        SqlFragment grouped = SqlFragment.join(", ", columns)
                .wrap("SELECT ", "")
                .then(rows.fromWhere())
                .then(groups.isEmpty() ? "" : " GROUP BY " + String.join(", ", groups));
        List<SqlFragment> having = query.having().stream().map(this::having).toList();
        return grouped.wrap("SELECT " + wanted() + " FROM (", ")")
                .then(RowSource.where(having))
                .then(order.isEmpty() ? "" : " ORDER BY " + String.join(", ", order))
                .then(RowSql.limit(query.rows()));
    }

    private String wanted() {
        return Stream.concat(
                        IntStream.range(0, query.groupBy().size()).mapToObj(i -> "g" + i),
                        IntStream.range(0, query.aggregates().size()).mapToObj(i -> "a" + i))
                .collect(Collectors.joining(", "));
    }

    private SqlFragment expression(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT -> SqlFragment.of("count(*)");
            case COUNT_WHERE ->
                rows.compiler().compile(aggregate.filter().orElseThrow()).wrap("count(CASE WHEN ", " THEN 1 END)");
            // Sums that keep what rounding takes away, so that they hardly depend on the order of rows.
            case SUM -> SqlFragment.of("fsum(" + number(value(aggregate)) + ")");
            case AVG -> SqlFragment.of("favg(" + number(value(aggregate)) + ")");
            case MIN -> SqlFragment.of("coalesce(" + outermost("min", value(aggregate)) + ")");
            case MAX -> SqlFragment.of("coalesce(" + outermost("max", value(aggregate)) + ")");
            case AVG_LEN -> SqlFragment.of("avg(" + length(value(aggregate)) + ")");
        };
    }

    private JsonValue value(Aggregate aggregate) {
        return rows.compiler().value(aggregate.path().orElseThrow());
    }

    private String number(JsonValue value) {
        return "CASE WHEN " + dialect.isNumber(value) + " THEN TRY_CAST(" + value.value() + " AS DOUBLE) END";
    }

    /** The JSON texts of the outermost number and text, the preferred one first. */
    private String outermost(String function, JsonValue value) {
        if (dialect.kindOf(value).isPresent()) {
            return dialect.kindOf(value).get() == FieldKind.BOOL
                    ? "NULL"
                    : "CAST(to_json(" + function + "(" + value.value() + ")) AS VARCHAR)";
        }
        List<String> keys = SortKeys.of(value, dialect);
        // Compared part by part: the double, what it leaves out of an integer, and then the text that is wanted.
        String number = function + "(CASE WHEN " + dialect.isNumber(value) + " THEN {'d': " + keys.get(1) + ", 'r': "
                + keys.get(2) + ", 'json': " + value.value() + "} END).json";
        String text = "CAST(to_json(" + function + "(CASE WHEN " + dialect.isText(value) + " THEN " + value.value()
                + " END)) AS VARCHAR)";
        return function.equals("min") ? number + ", " + text : text + ", " + number;
    }

    private String length(JsonValue value) {
        return dialect.kindOf(value).isPresent()
                ? "CAST(NULL AS BIGINT)"
                : "CASE WHEN " + value.type() + " = 'ARRAY' THEN json_array_length(" + value.json() + ") END";
    }

    private SqlFragment having(Aggregate.Having having) {
        int index = IntStream.range(0, query.aggregates().size())
                .filter(i -> query.aggregates().get(i).name().equals(having.name()))
                .findFirst()
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid condition on groups",
                        "there is no aggregate called '" + having.name() + "'",
                        "name one of the aggregates"));
        JsonValue result = switch (query.aggregates().get(index).function()) {
            case COUNT, COUNT_WHERE -> dialect.column("a" + index, FieldKind.INT);
            case SUM, AVG, AVG_LEN -> dialect.column("a" + index, FieldKind.FLOAT);
            case MIN, MAX -> dialect.json("a" + index, "$");
        };
        return having.value() instanceof String text
                ? compared(dialect.isText(result), dialect.compareText(result, having.op(), text))
                : compared(
                        dialect.isNumber(result), dialect.compareNumber(result, having.op(), (Number) having.value()));
    }

    private static SqlFragment compared(String isOfKind, SqlFragment comparison) {
        return SqlFragment.of("CASE WHEN " + isOfKind + " THEN ")
                .then(comparison)
                .then(" ELSE false END");
    }
}
