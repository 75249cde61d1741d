package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reconciles many rows at once, inside the engine, on a temporary table of what is wanted. */
final class BulkReconciler implements Reconciler {
    private static final int ROWS_PER_INSERT = 64;

    private final SqlConnection connection;
    private final RowTable table;
    private final String wanted;
    private final String changed;
    private Difference found = Difference.NONE;

    BulkReconciler(SqlConnection connection, RowTable table) {
        this.connection = connection;
        this.table = table;
        this.wanted = "temp.onto_wanted_" + table.kind().wireName();
        this.changed = "temp.onto_changed_" + table.kind().wireName();
    }

    @Override
    public Difference compare(List<DesiredRow> rows, CommitRequest request) throws SQLException {
        prepareTables();
        fill(rows, request.schemaVersions());
        connection.compareBy((type, stored, wantedJson) ->
                request.equality().same(new TypeRef(table.kind(), type), stored, wantedJson));
        connection.update("""
                INSERT INTO %s SELECT w.*, l.commit_id IS NOT NULL
                FROM %s w LEFT JOIN %s l ON %s
                WHERE l.commit_id IS NULL OR coalesce(l.schema_version_id, 1) <> w.version
                   OR (l.fields_json <> w.fields_json
                       AND (l.canonical OR NOT %s(w.%s, l.fields_json, w.fields_json)))
                ORDER BY w.rowid""".formatted(
                        changed,
                        wanted,
                        table.latest(),
                        table.sameKey("l", "w"),
                        SqlFunctions.SAME_PAYLOAD,
                        table.typeColumn()));
        try (ResultSet counts = connection
                .prepare("SELECT count(*), coalesce(sum(existed), 0) FROM " + changed)
                .executeQuery()) {
            counts.next();
            found = new Difference(counts.getLong(1), counts.getLong(2));
            return found;
        }
    }

    @Override
    public void append(long commitId) throws SQLException {
        if (found.rows() == 0) {
            return;
        }
        connection.update(
                table.sql("INSERT INTO {history} ({keys}, fields_json, commit_id, schema_version_id)"
                        + " SELECT {keys}, fields_json, ?, version FROM " + changed + " ORDER BY rowid"),
                commitId);
        connection.update(table.sql("""
                        INSERT INTO {latest} ({keys}, commit_id, schema_version_id, canonical, fields_json)
                        SELECT {keys}, ?, version, 1, fields_json FROM %s WHERE true ORDER BY rowid
                        ON CONFLICT DO UPDATE SET commit_id = excluded.commit_id, canonical = 1,
                            schema_version_id = excluded.schema_version_id, fields_json = excluded.fields_json""".formatted(changed)), commitId);
    }

    private void prepareTables() throws SQLException {
        String columns = table.keyColumns() + ", fields_json, version";
        connection
                .prepare("CREATE TABLE IF NOT EXISTS " + wanted + " (" + columns + ")")
                .execute();
        connection
                .prepare("CREATE TABLE IF NOT EXISTS " + changed + " (" + columns + ", existed)")
                .execute();
        connection.update("DELETE FROM " + wanted);
        connection.update("DELETE FROM " + changed);
    }

    private void fill(List<DesiredRow> rows, Map<TypeRef, Long> versions) throws SQLException {
        int columns = table.identity().size() + 3;
        String one = "(" + "?,".repeat(columns - 1) + "?)";
        for (int start = 0; start < rows.size(); ) {
            int count = rows.size() - start >= ROWS_PER_INSERT ? ROWS_PER_INSERT : 1;
            PreparedStatement insert =
                    connection.prepare("INSERT INTO " + wanted + " VALUES " + (one + ",").repeat(count - 1) + one);
            int parameter = 1;
            for (DesiredRow row : rows.subList(start, start + count)) {
                insert.setString(parameter++, row.type().name());
                for (String part : table.values(row.identity())) {
                    insert.setString(parameter++, part);
                }
                insert.setString(parameter++, row.fieldsJson());
                insert.setLong(parameter++, versions.getOrDefault(row.type(), 1L));
            }
            insert.executeUpdate();
            start += count;
        }
    }
}
