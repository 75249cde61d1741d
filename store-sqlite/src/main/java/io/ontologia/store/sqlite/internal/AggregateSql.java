package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldPath;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.Order;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.FilterCompiler;
import io.ontologia.core.spi.FilterDialect;
import io.ontologia.core.spi.FilterDialect.JsonValue;
import io.ontologia.core.spi.SqlFragment;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes the SQL of an aggregation. Columns: one JSON text for each group field, then one value for each aggregate. */
final class AggregateSql {
    private final AggregateQuery query;
    private final Sums sums;
    private final RowSql rows;
    private final FilterCompiler compiler;

    AggregateSql(AggregateQuery query, Latest.Copies copies, Sums sums) {
        this.query = query;
        this.sums = sums;
        this.rows = new RowSql(query.rows(), copies, askedBy(query));
        this.compiler = rows.compiler();
    }

    private static Set<FieldPath.Scope> askedBy(AggregateQuery query) {
        Set<FieldPath.Scope> scopes = EnumSet.allOf(FieldPath.Scope.class);
        scopes.removeIf(scope -> !query.looksAt(scope));
        return scopes;
    }

    SqlFragment select() {
        List<SqlFragment> columns = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        for (int i = 0; i < query.groupBy().size(); i++) {
            JsonValue value = compiler.value(query.groupBy().get(i));
            // Numbers that are equal make one group, whether they are written 1 or 1.0.
            columns.add(SqlFragment.of("min(coalesce(" + value.json() + ", 'null')) AS g" + i));
            // The same for all rows of a group, and written as it is grouped by: computed once a group, not once a row.
            columns.add(SqlFragment.of(absentLast(value) + " AS r" + i));
            columns.add(SqlFragment.of(value.value() + " AS v" + i));
            columns.add(SqlFragment.of(BigIntegers.tieBreaker(value) + " AS t" + i));
            groups.add(absentLast(value));
            groups.add(value.value());
            groups.add(BigIntegers.tieBreaker(value));
        }
        for (int i = 0; i < query.aggregates().size(); i++) {
            columns.add(expression(query.aggregates().get(i)).then(" AS a" + i));
        }
        SqlFragment inner = SqlFragment.join(", ", columns)
                .wrap("SELECT ", "")
                .then(rows.fromWhere())
                .then(groups.isEmpty() ? "" : " GROUP BY " + String.join(", ", groups));
        String wanted = IntStream.range(
                        0, query.groupBy().size() + query.aggregates().size())
                .mapToObj(i -> i < query.groupBy().size()
                        ? "g" + i
                        : "a" + (i - query.groupBy().size()))
                .collect(Collectors.joining(", "));
        List<String> order = new ArrayList<>();
        query.order().forEach(part -> order.addAll(sortKeys(part)));
        IntStream.range(0, query.groupBy().size()).forEach(i -> order.add("r" + i + ", v" + i + ", t" + i));
        SqlFragment sql = inner.wrap("SELECT " + wanted + " FROM (", ")");
        if (!query.having().isEmpty()) {
            sql = sql.then(SqlFragment.join(
                            " AND ", query.having().stream().map(this::having).toList())
                    .wrap(" WHERE ", ""));
        }
        sql = order.isEmpty() ? sql : sql.then(" ORDER BY " + String.join(", ", order));
        return query.rows().limit().isPresent() || query.rows().offset() > 0
                ? sql.then(SqlFragment.of(
                        " LIMIT ? OFFSET ?",
                        query.rows().limit().orElse(-1),
                        query.rows().offset()))
                : sql;
    }

    private static String absentLast(JsonValue value) {
        return "CASE coalesce(" + value.type() + ", 'null') WHEN 'null' THEN 4 WHEN 'true' THEN 0 WHEN 'false' THEN 0"
                + " WHEN 'integer' THEN 1 WHEN 'real' THEN 1 WHEN 'text' THEN 2 ELSE 3 END";
    }

    private SqlFragment expression(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT -> SqlFragment.of("count(*)");
            case COUNT_WHERE ->
                compiler.compile(aggregate.filter().orElseThrow()).wrap("count(CASE WHEN ", " THEN 1 END)");
            case SUM -> SqlFragment.of(sums.expression(value(aggregate)));
            case AVG -> SqlFragment.of("avg(" + number(aggregate) + ")");
            case MIN -> SqlFragment.of(outermost("min", SqlFunctions.LEAST, value(aggregate)));
            case MAX -> SqlFragment.of(outermost("max", SqlFunctions.GREATEST, value(aggregate)));
            case AVG_LEN -> SqlFragment.of("avg(" + length(aggregate) + ")");
        };
    }

    private String number(Aggregate aggregate) {
        JsonValue value = value(aggregate);
        return "CASE WHEN " + value.type() + " IN ('integer', 'real') THEN CAST(" + value.value() + " AS REAL) END";
    }

    /** The outermost of the values that SQLite holds exactly, combined with the outermost big integer if there is one. */
    private static String outermost(String function, String combine, JsonValue value) {
        String big = BigIntegers.isBig(value);
        String plain = function + "(CASE WHEN " + value.type() + " IN ('integer', 'real', 'text') AND NOT (" + big
                + ") THEN " + value.value() + " END)";
        String key =
                function + "(CASE WHEN " + big + " THEN " + SqlFunctions.NUMBER_KEY + "(" + value.json() + ") END)";
        return "CASE WHEN " + key + " IS NULL THEN " + plain + " ELSE " + combine + "(" + plain + ", " + key + ") END";
    }

    private String length(Aggregate aggregate) {
        JsonValue value = value(aggregate);
        return "CASE WHEN " + value.type() + " = 'array' THEN json_array_length(" + value.value() + ") END";
    }

    private JsonValue value(Aggregate aggregate) {
        FieldPath path = aggregate.path().orElseThrow();
        return compiler.value(path);
    }

    /** Sorts groups by a value: what is absent last, then by kind, by value, and what rounding hides. */
    private List<String> sortKeys(GroupOrder order) {
        int column = query.column(order.name());
        String direction = order.direction() == Order.Direction.ASCENDING ? " ASC" : " DESC";
        if (column < query.groupBy().size()) {
            return List.of(
                    "r" + column + " = 4",
                    "r" + column + direction,
                    "v" + column + direction,
                    "t" + column + direction);
        }
        String result = "a" + (column - query.groupBy().size());
        JsonValue number = Sums.number(result);
        return List.of(
                result + " IS NULL",
                "typeof(" + result + ") = 'text'" + direction,
                number.value() + direction,
                BigIntegers.tieBreaker(number) + direction);
    }

    private SqlFragment having(Aggregate.Having having) {
        int column = query.column(having.name());
        if (column < query.groupBy().size()) {
            return grouped("g" + column, having);
        }
        String result = "a" + (column - query.groupBy().size());
        String operator = " " + FilterDialect.operator(having.op()) + " ";
        if (having.value() instanceof String text) {
            return SqlFragment.of("typeof(" + result + ") = 'text' AND " + result + operator + "?", text);
        }
        Number number = (Number) having.value();
        SqlFragment exact = SqlFragment.of(
                SqlFunctions.COMPARE_NUMBERS + "(" + result + ", ?)" + operator + "0", SqliteDialect.plain(number));
        SqlFragment held = number instanceof BigInteger ? exact : SqlFragment.of(result + operator + "?", number);
        return SqlFragment.of("CASE typeof(" + result + ") WHEN 'blob' THEN ")
                .then(exact)
                .then(" WHEN 'integer' THEN ")
                .then(held)
                .then(" WHEN 'real' THEN ")
                .then(held)
                .then(" ELSE 0 END");
    }

    /** A condition on a value that is grouped by, which is a JSON text. */
    private static SqlFragment grouped(String json, Aggregate.Having having) {
        SqliteDialect dialect = new SqliteDialect();
        JsonValue value = dialect.at(json, List.of());
        return having.value() instanceof String text
                ? dialect.compareText(value, having.op(), text).wrap(dialect.isText(value) + " AND ", "")
                : dialect.compareNumber(value, having.op(), (Number) having.value())
                        .wrap("CASE WHEN " + dialect.isNumber(value) + " THEN ", " ELSE 0 END");
    }
}
