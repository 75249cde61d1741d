package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.Order;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.core.spi.SqlFragment;
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
 * JSON text where {@link #isJson} says so; a sum has the columns of {@link Sums}.
 */
final class AggregateSql {
    private final AggregateQuery query;
    private final Sums sums;
    private final RowSql rows;
    private final DuckDbDialect dialect;

    AggregateSql(AggregateQuery query, Sums sums, Function<TypeRef, RowSource> sources) {
        this.query = query;
        this.sums = sums;
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
        List<List<String>> groupKeys = new ArrayList<>();
        for (int i = 0; i < query.groupBy().size(); i++) {
            JsonValue value = rows.compiler().value(query.groupBy().get(i));
            // Numbers that are equal make one group, whether they are written 1 or 1.0.
            columns.add(SqlFragment.of("min(coalesce(" + value.json() + ", 'null')) AS g" + i));
            List<String> keys = SortKeys.of(value, dialect);
            List<String> names = new ArrayList<>();
            for (int k = 0; k < keys.size(); k++) {
                String name = "k" + i + "_" + k;
                columns.add(SqlFragment.of(keys.get(k) + " AS " + name));
                names.add(name);
            }
            groupKeys.add(names);
            groups.addAll(keys);
        }
        for (int i = 0; i < query.aggregates().size(); i++) {
            columns.addAll(columns(i));
        }
        query.order().forEach(part -> order.addAll(sortKeys(part, groupKeys)));
        groupKeys.forEach(names -> names.forEach(name -> order.add(name + " NULLS LAST")));
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
                        IntStream.range(0, query.aggregates().size()).mapToObj(this::wanted))
                .collect(Collectors.joining(", "));
    }

    private String wanted(int aggregate) {
        return isSum(aggregate)
                ? String.join(", ", Sums.integers(aggregate), Sums.reals(aggregate), Sums.digits(aggregate))
                : "a" + aggregate;
    }

    private boolean isSum(int aggregate) {
        return query.aggregates().get(aggregate).function() == Aggregate.Function.SUM;
    }

    private List<SqlFragment> columns(int index) {
        Aggregate aggregate = query.aggregates().get(index);
        return isSum(index)
                ? sums.columns(index, value(aggregate), dialect)
                : List.of(expression(aggregate).then(" AS a" + index));
    }

    private List<String> sortKeys(GroupOrder order, List<List<String>> groupKeys) {
        int column = query.column(order.name());
        int aggregate = column - query.groupBy().size();
        List<String> keys = aggregate < 0
                ? groupKeys.get(column)
                : isSum(aggregate) ? Sums.sortKeys(aggregate) : SortKeys.of(result(aggregate), dialect);
        String direction = order.direction() == Order.Direction.ASCENDING ? " ASC" : " DESC";
        return keys.stream().map(key -> key + direction + " NULLS LAST").toList();
    }

    /** The value of an aggregate that is no sum. */
    private JsonValue result(int aggregate) {
        String column = "a" + aggregate;
        return switch (query.aggregates().get(aggregate).function()) {
            case COUNT, COUNT_WHERE -> dialect.column(column, FieldKind.INT);
            case SUM, AVG, AVG_LEN -> dialect.column(column, FieldKind.FLOAT);
            case MIN, MAX -> dialect.json(column, "$");
        };
    }

    private SqlFragment expression(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT -> SqlFragment.of("count(*)");
            case COUNT_WHERE ->
                rows.compiler().compile(aggregate.filter().orElseThrow()).wrap("count(CASE WHEN ", " THEN 1 END)");
            case SUM -> throw new IllegalStateException("a sum has several columns");
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
        int column = query.column(having.name());
        int aggregate = column - query.groupBy().size();
        if (aggregate >= 0 && isSum(aggregate)) {
            return having.value() instanceof Number number
                    ? Sums.compared(aggregate, having.op(), number)
                    : SqlFragment.of("false");
        }
        JsonValue result = aggregate < 0 ? dialect.json("g" + column, "$") : result(aggregate);
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
