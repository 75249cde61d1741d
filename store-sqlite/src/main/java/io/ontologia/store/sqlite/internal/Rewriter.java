package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Gives every latest row of one type another version, inside a write transaction. */
final class Rewriter {
    private static final int BATCH = 1_000;

    private final SqlConnection connection;
    private final RowTable table;
    private final TypeRef type;
    private final long commitId;
    private final long version;
    private final RowsDigest.Builder digest;
    private final String insert;
    private final String update;

    Rewriter(SqlConnection connection, TypeRef type, long commitId, long version) {
        this.connection = connection;
        this.table = RowTable.of(type.kind());
        this.type = type;
        this.commitId = commitId;
        this.version = version;
        this.digest = RowsDigest.of(type);
        this.insert =
                table.sql("INSERT INTO {history} (fields_json, commit_id, schema_version_id, {keys}) VALUES (?, ?, ?, ?"
                        + ", ?".repeat(table.identity().size()) + ")");
        this.update =
                table.sql("UPDATE {latest} SET canonical = 1, fields_json = ?, commit_id = ?, schema_version_id = ?"
                        + " WHERE {type} = ?"
                        + table.identity().stream()
                                .map(column -> " AND " + column + " = ?")
                                .collect(Collectors.joining()));
    }

    /**
     * Works in batches by identity, because a table should not be changed under an open query.
     *
     * @return how many rows there were
     */
    long rewrite(Function<StoredRow, String> upgrade, long expected, Progress progress) throws SQLException {
        long done = 0;
        List<StoredRow> batch = read(connection.prepare(select(""), type.name(), BATCH));
        while (!batch.isEmpty()) {
            for (StoredRow row : batch) {
                write(row, upgrade.apply(row));
            }
            done += batch.size();
            progress.report(type.toString(), done, Math.max(done, expected));
            batch = after(batch.get(batch.size() - 1));
        }
        return done;
    }

    /** The digest of the rows that were written. */
    RowsDigest digest() {
        return digest.build();
    }

    private List<StoredRow> after(StoredRow last) throws SQLException {
        List<Object> parameters = new ArrayList<>(List.of(type.name()));
        parameters.addAll(table.values(last.identity()));
        parameters.add(BATCH);
        String marks = table.identity().stream().map(column -> "?").collect(Collectors.joining(", "));
        return read(connection.prepare(select(" AND ({identity}) > (" + marks + ")"), parameters.toArray()));
    }

    private String select(String condition) {
        return table.sql("SELECT {identity}, fields_json, commit_id, coalesce(schema_version_id, 1) FROM {latest}"
                + " WHERE {type} = ?" + condition + " ORDER BY {identity} LIMIT ?");
    }

    private List<StoredRow> read(PreparedStatement statement) throws SQLException {
        List<StoredRow> batch = new ArrayList<>(BATCH);
        int afterIdentity = table.identity().size() + 1;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                batch.add(new StoredRow(
                        table.read(rows, 1),
                        rows.getString(afterIdentity),
                        rows.getLong(afterIdentity + 1),
                        rows.getLong(afterIdentity + 2)));
            }
        }
        return batch;
    }

    private void write(StoredRow row, String fieldsJson) throws SQLException {
        List<Object> values = new ArrayList<>(List.of(fieldsJson, commitId, version, type.name()));
        values.addAll(table.values(row.identity()));
        Object[] parameters = values.toArray();
        connection.update(insert, parameters);
        digest.add(row.identity(), commitId, version, fieldsJson);
        connection.update(update, parameters);
    }
}
