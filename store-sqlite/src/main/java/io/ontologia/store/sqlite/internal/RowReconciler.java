package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Reconciles few rows with the history, one after the other: for those a temporary table costs more than it saves. Leaves
 * the copies of the latest versions behind.
 */
final class RowReconciler implements Reconciler {
    private final SqlConnection connection;
    private final RowTable table;
    private final List<DesiredRow> changed = new ArrayList<>();
    private Map<TypeRef, Long> versions = Map.of();
    private Digests.Rows appended = new Digests.Rows(0);

    RowReconciler(SqlConnection connection, RowTable table) {
        this.connection = connection;
        this.table = table;
    }

    @Override
    public Difference compare(List<DesiredRow> rows, CommitRequest request) throws SQLException {
        this.versions = request.schemaVersions();
        String newest = table.newestOfKeySql();
        long updates = 0;
        long retractions = 0;
        for (DesiredRow row : rows) {
            PreparedStatement statement = connection.prepare(newest);
            bindKey(statement, row);
            try (ResultSet found = statement.executeQuery()) {
                boolean exists = found.next() && !StoredRow.isEnd(found.getString(1));
                if (row.isRetraction() ? exists : !exists || differs(found, row, request)) {
                    changed.add(row);
                    updates += exists && !row.isRetraction() ? 1 : 0;
                    retractions += row.isRetraction() ? 1 : 0;
                }
            }
        }
        return new Difference(changed.size(), updates, retractions);
    }

    private boolean differs(ResultSet found, DesiredRow row, CommitRequest request) throws SQLException {
        if (found.getLong(2) != version(row)) {
            return true;
        }
        String stored = found.getString(1);
        return !stored.equals(row.fieldsJson()) && !request.equality().same(row.type(), stored, row.fieldsJson());
    }

    private long version(DesiredRow row) {
        return versions.getOrDefault(row.type(), 1L);
    }

    @Override
    public void append(long commitId) throws SQLException {
        appended = new Digests.Rows(commitId);
        for (DesiredRow row : changed) {
            PreparedStatement statement = connection.prepare(table.appendSql());
            int parameter = bindKey(statement, row);
            statement.setLong(parameter++, commitId);
            statement.setLong(parameter++, version(row));
            statement.setString(parameter, row.fieldsJson());
            statement.executeUpdate();
            appended.add(row, version(row));
        }
    }

    @Override
    public Collection<RowsDigest> digests() {
        return appended.build();
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
