package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.DesiredRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reconciles few rows, one after the other: for those a temporary table costs more than it saves. */
final class RowReconciler implements Reconciler {
    private final SqlConnection connection;
    private final RowTable table;
    private final List<DesiredRow> changed = new ArrayList<>();
    private Map<TypeRef, Long> versions = Map.of();

    RowReconciler(SqlConnection connection, RowTable table) {
        this.connection = connection;
        this.table = table;
    }

    @Override
    public Difference compare(List<DesiredRow> rows, Map<TypeRef, Long> schemaVersions) throws SQLException {
        this.versions = schemaVersions;
        String latest = table.latestOfKeySql();
        long updates = 0;
        for (DesiredRow row : rows) {
            PreparedStatement statement = connection.prepare(latest);
            bindKey(statement, row);
            try (ResultSet found = statement.executeQuery()) {
                boolean exists = found.next();
                if (!exists || differs(found.getString(1), found.getBoolean(2), row.fieldsJson())) {
                    changed.add(row);
                    updates += exists ? 1 : 0;
                }
            }
        }
        return new Difference(changed.size(), updates);
    }

    private static boolean differs(String stored, boolean canonical, String wanted) {
        return !stored.equals(wanted) && (canonical || !SqlFunctions.sameJson(stored, wanted));
    }

    @Override
    public void append(long commitId) throws SQLException {
        for (DesiredRow row : changed) {
            for (String sql : List.of(table.appendSql(), table.setLatestSql())) {
                PreparedStatement statement = connection.prepare(sql);
                int parameter = bindKey(statement, row);
                statement.setLong(parameter++, commitId);
                statement.setLong(parameter++, versions.getOrDefault(row.type(), 1L));
                statement.setString(parameter, row.fieldsJson());
                statement.executeUpdate();
            }
        }
    }

    private int bindKey(PreparedStatement statement, DesiredRow row) throws SQLException {
        int parameter = 1;
        statement.setString(parameter++, row.type().name());
        for (String part : table.values(row.identity())) {
            statement.setString(parameter++, part);
        }
        return parameter;
    }
}
