package io.ontologia.core.spi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A piece of SQL with the parameters that its question marks stand for.
 *
 * @param parameters in the order of the question marks
 */
public record SqlFragment(String sql, List<Object> parameters) {
    public SqlFragment {
        parameters = List.copyOf(parameters);
    }

    /** SQL with parameters. */
    public static SqlFragment of(String sql, Object... parameters) {
        return new SqlFragment(sql, Arrays.asList(parameters));
    }

    /** Several pieces with a text between each two. */
    public static SqlFragment join(String separator, List<SqlFragment> parts) {
        List<Object> parameters = new ArrayList<>();
        parts.forEach(part -> parameters.addAll(part.parameters));
        return new SqlFragment(parts.stream().map(SqlFragment::sql).collect(Collectors.joining(separator)), parameters);
    }

    /**
     * Several conditions, at least one, with an operator between each two, in brackets so that they nest as little as they
     * can: engines limit how deep a condition nests.
     */
    public static SqlFragment balanced(String operator, List<SqlFragment> conditions) {
        List<Object> parameters = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        append(operator, conditions, sql, parameters);
        return new SqlFragment(sql.toString(), parameters);
    }

    private static void append(
            String operator, List<SqlFragment> conditions, StringBuilder sql, List<Object> parameters) {
        if (conditions.size() == 1) {
            sql.append(conditions.get(0).sql);
            parameters.addAll(conditions.get(0).parameters);
            return;
        }
        int half = conditions.size() / 2;
        sql.append('(');
        append(operator, conditions.subList(0, half), sql, parameters);
        sql.append(operator);
        append(operator, conditions.subList(half, conditions.size()), sql, parameters);
        sql.append(')');
    }

    /** This piece between two texts without parameters. */
    public SqlFragment wrap(String before, String after) {
        return new SqlFragment(before + sql + after, parameters);
    }

    /** This piece and then another. */
    public SqlFragment then(SqlFragment next) {
        return join("", List.of(this, next));
    }

    /** This piece and then a text without parameters. */
    public SqlFragment then(String text) {
        return new SqlFragment(sql + text, parameters);
    }
}
