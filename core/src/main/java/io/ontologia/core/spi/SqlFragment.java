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
