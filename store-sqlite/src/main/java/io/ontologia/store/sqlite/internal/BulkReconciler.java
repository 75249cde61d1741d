package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;

/** Reconciles many rows at once, inside the engine, on a temporary table of what is wanted. */
final class BulkReconciler implements Reconciler {
    private static final int ROWS_PER_INSERT = 64;

    private final SqlConnection connection;
    private final RowTable table;
    private final String wanted;
    private final String changed;
    private final boolean copiesAreBehind;
    private Difference found = Difference.NONE;
    private List<DesiredRow> rows = List.of();
    private Map<TypeRef, Long> versions = Map.of();
    private FutureTask<Collection<RowsDigest>> digesting = new FutureTask<>(List::of);

    /**
     * @param copiesAreBehind whether the history may have newer versions of these rows than the copies; then they are ours
     */
    BulkReconciler(SqlConnection connection, RowTable table, boolean copiesAreBehind) {
        this.copiesAreBehind = copiesAreBehind;
        this.connection = connection;
        this.table = table;
        this.wanted = "temp.onto_wanted_" + table.kind().wireName();
        this.changed = "temp.onto_changed_" + table.kind().wireName();
    }

    @Override
    public Difference compare(List<DesiredRow> wantedRows, CommitRequest request) throws SQLException {
        rows = wantedRows;
        versions = request.schemaVersions();
        prepareTables();
        fill();
        connection.compareBy((type, stored, wantedJson) ->
                request.equality().same(new TypeRef(table.kind(), type), stored, wantedJson));
        connection.update(copiesAreBehind ? differentFromHistory() : differentFromCopies());
        try (ResultSet counts = connection
                .prepare("SELECT count(*), coalesce(sum(existed AND fields_json <> 'null'), 0),"
                        + " coalesce(sum(fields_json = 'null'), 0) FROM " + changed)
                .executeQuery()) {
            counts.next();
            found = new Difference(counts.getLong(1), counts.getLong(2), counts.getLong(3));
            return found;
        }
    }

    @Override
    public void append(long commitId) throws SQLException {
        if (found.rows() == 0) {
            return;
        }
        digest(commitId);
        connection.update(
                table.sql("INSERT INTO {history} ({keys}, fields_json, commit_id, schema_version_id)"
                        + " SELECT {keys}, fields_json, ?, version FROM " + changed + " ORDER BY rowid"),
                commitId);
    }

    /** Computes the digests in another thread, while this one appends the rows. */
    private void digest(long commitId) throws SQLException {
        List<DesiredRow> appended = found.rows() == rows.size() ? rows : changedRows();
        digesting = new FutureTask<>(() -> {
            Digests.Rows digests = new Digests.Rows(commitId);
            appended.forEach(row -> digests.add(row, versions.getOrDefault(row.type(), 1L)));
            return digests.build();
        });
        ForkJoinPool.commonPool().execute(digesting);
    }

    private List<DesiredRow> changedRows() throws SQLException {
        List<DesiredRow> some = new ArrayList<>();
        try (ResultSet numbers =
                connection.prepare("SELECT wanted_row FROM " + changed).executeQuery()) {
            while (numbers.next()) {
                some.add(rows.get(Math.toIntExact(numbers.getLong(1) - 1)));
            }
        }
        return some;
    }

    @Override
    public Collection<RowsDigest> digests() {
        // Does it here when no other thread began.
        digesting.run();
        try {
            return digesting.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OntologiaException(ErrorKind.CLOSED, "writing stopped", "the thread was interrupted", "", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot compute the digest of rows", e.getCause());
        }
    }

    private String differentFromCopies() {
        return table.sql("""
                INSERT INTO %s SELECT w.*, l.commit_id IS NOT NULL, w.rowid FROM %s w LEFT JOIN {latest} l ON %s
                WHERE (w.fields_json = 'null' AND l.commit_id IS NOT NULL)
                   OR (w.fields_json <> 'null' AND (l.commit_id IS NULL OR coalesce(l.schema_version_id, 1) <> w.version
                       OR (l.fields_json <> w.fields_json
                           AND (l.canonical OR NOT %s(w.{type}, l.fields_json, w.fields_json)))))
                ORDER BY w.rowid""".formatted(changed, wanted, table.sameKey("l", "w"), SqlFunctions.SAME_PAYLOAD));
    }

    /** As above, but where the history has a row after those in the copies, that one counts, and is canonical. */
    private String differentFromHistory() {
        return table.sql("""
                INSERT INTO %1$s SELECT w.*, iif(h.id IS NULL, l.commit_id IS NOT NULL, h.fields_json <> 'null'), w.rowid
                FROM %2$s w LEFT JOIN {latest} l ON %3$s
                LEFT JOIN {history} h ON h.id = (SELECT n.id FROM {history} n
                    WHERE %4$s AND n.id > (SELECT {upto} FROM onto_latest_state) ORDER BY n.commit_id DESC LIMIT 1)
                WHERE CASE
                    WHEN w.fields_json = 'null' THEN
                        iif(h.id IS NULL, l.commit_id IS NOT NULL, h.fields_json <> 'null')
                    WHEN h.id IS NOT NULL THEN h.schema_version_id <> w.version OR h.fields_json <> w.fields_json
                    WHEN l.commit_id IS NULL OR coalesce(l.schema_version_id, 1) <> w.version THEN 1
                    ELSE l.fields_json <> w.fields_json
                        AND (l.canonical OR NOT %5$s(w.{type}, l.fields_json, w.fields_json)) END
                ORDER BY w.rowid""".formatted(
                        changed, wanted, table.sameKey("l", "w"), table.sameKey("n", "w"), SqlFunctions.SAME_PAYLOAD));
    }

    private void prepareTables() throws SQLException {
        String columns = table.keyColumns() + ", fields_json, version";
        connection
                .prepare("CREATE TABLE IF NOT EXISTS " + wanted + " (" + columns + ")")
                .execute();
        connection
                .prepare("CREATE TABLE IF NOT EXISTS " + changed + " (" + columns + ", existed, wanted_row)")
                .execute();
        connection.update("DELETE FROM " + wanted);
        connection.update("DELETE FROM " + changed);
    }

    private void fill() throws SQLException {
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
