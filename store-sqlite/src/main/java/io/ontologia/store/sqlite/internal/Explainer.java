package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Explanation;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Window;
import io.ontologia.core.spi.FilterCompiler;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Says how SQLite answers queries. */
final class Explainer {
    private final SqlConnection connection;

    Explainer(SqlConnection connection) {
        this.connection = connection;
    }

    Explanation explain(RowQuery query, Latest.Copies copies) throws SQLException {
        SqlFragment sql = new RowSql(query, copies).select();
        String plan = plan(sql);
        List<FieldPath> pushedDown = new ArrayList<>();
        List<FieldPath> evaluated = new ArrayList<>();
        for (FieldPath path : query.paths()) {
            boolean indexed = path.scope() == FieldPath.Scope.IDENTITY
                    ? usesColumn(plan, FilterCompiler.column(path))
                    : index(query, path).filter(plan::contains).isPresent();
            (indexed ? pushedDown : evaluated).add(path);
        }
        return new Explanation(
                "SQLite " + connection.text("SELECT sqlite_version()").orElseThrow(),
                query.window() instanceof Window.Latest && copies != Latest.Copies.UNTRUSTED
                        ? Explanation.Source.LATEST
                        : Explanation.Source.HISTORY,
                List.of(),
                pushedDown,
                evaluated,
                0,
                plan);
    }

    /** Whether a step of the plan searches an index by a column. */
    private static boolean usesColumn(String plan, String column) {
        return plan.contains(column + "=?") || plan.contains(column + ">?") || plan.contains(column + "<?");
    }

    /** The name of the index that a path may have, as plans show it. */
    private static Optional<String> index(RowQuery query, FieldPath path) {
        if (path.segments().size() != 1) {
            return Optional.empty();
        }
        Optional<String> owner = switch (path.scope()) {
            case SELF ->
                Optional.of(query.type().kind().wireName() + "_" + query.type().name());
            case LEFT -> query.leftType().map(name -> "entity_" + name);
            case RIGHT -> query.rightType().map(name -> "entity_" + name);
            case IDENTITY -> Optional.empty();
        };
        return owner.map(
                type -> "INDEX onto_ix_" + type + "__" + path.segments().get(0) + " ");
    }

    /** The steps of the plan, one a line, those that belong to another below it. */
    private String plan(SqlFragment sql) throws SQLException {
        StringBuilder text = new StringBuilder();
        Map<Long, Integer> depth = new HashMap<>();
        try (PreparedStatement statement = connection.open(
                        "EXPLAIN QUERY PLAN " + sql.sql(), sql.parameters().toArray());
                ResultSet steps = statement.executeQuery()) {
            while (steps.next()) {
                int below = Objects.requireNonNullElse(depth.get(steps.getLong(2)), -1) + 1;
                depth.put(steps.getLong(1), below);
                text.append("  ".repeat(below)).append(steps.getString(4)).append('\n');
            }
        }
        return text.toString();
    }
}
