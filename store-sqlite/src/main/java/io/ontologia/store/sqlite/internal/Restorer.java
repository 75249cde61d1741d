package io.ontologia.store.sqlite.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Fills an empty file in one transaction: whatever happens before its end, the file stays empty. */
final class Restorer implements HistoryWriter {
    private static final String WHAT = "cannot fill the store";

    private static final String CONTENT = """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM commits) OR EXISTS (SELECT 1 FROM schema_versions)
                OR EXISTS (SELECT 1 FROM schema_registry) OR EXISTS (SELECT 1 FROM entity_history)
                OR EXISTS (SELECT 1 FROM relation_history)""";

    private final Connections connections;
    private final SqlConnection connection;
    private String digest = CommitDigest.START;
    private boolean closed;

    private Restorer(Connections connections, SqlConnection connection) {
        this.connections = connections;
        this.connection = connection;
    }

    /** Begins the transaction, waiting for others up to the timeout. */
    static Restorer begin(Connections connections, String runtimeId, Clock clock, Duration timeout) {
        SqlConnection connection = connections.startWriting();
        boolean begun = false;
        try {
            WriteLock.begin(connection, runtimeId, clock, timeout);
            try {
                requireEmpty(connections, connection);
                begun = true;
            } finally {
                if (!begun) {
                    connection.rollback();
                }
            }
            return new Restorer(connections, connection);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        } finally {
            if (!begun) {
                connections.doneWriting();
            }
        }
    }

    private static void requireEmpty(Connections connections, SqlConnection connection) throws SQLException {
        if (connection.number(CONTENT).isPresent() || !new BusRows(connection).isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot copy to " + connections.file(),
                    "it holds types, commits or events already, of another store or of a copy that was finished",
                    "name a file that does not exist yet; nothing was changed");
        }
    }

    @Override
    public void types(List<TypeHistory> types) {
        try {
            Schemas.restore(connection, types);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public void commit(
            CommitInfo commit, List<RowsDigest> purged, List<ErasedRow> erased, Consumer<Consumer<PastRow>> rows) {
        try {
            connection.update(
                    "INSERT INTO commits (id, created_at, metadata_json) VALUES (?, ?, ?)",
                    commit.id(),
                    UtcTimestamp.format(commit.at()),
                    commit.metadata().isEmpty() ? null : CanonicalJson.write(commit.metadata()));
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
        Digests.Rows appended = new Digests.Rows(commit.id());
        rows.accept(row -> {
            append(row);
            appended.of(row.type()).add(row.row());
        });
        erased.forEach(row -> appended.of(row.type()).addErased(row.sha256()));
        List<RowsDigest> digests = new ArrayList<>(purged);
        digests.addAll(appended.build());
        digest = CommitDigest.of(digest, commit, digests);
        try {
            for (RowsDigest rowsDigest : purged) {
                Digests.addPurged(connection, commit.id(), rowsDigest);
            }
            if (!erased.isEmpty()) {
                ErasedRows.prepare(connection);
            }
            for (ErasedRow row : erased) {
                ErasedRows.add(connection, commit.id(), row);
            }
            Digests.record(connection, commit.id(), digest);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    private void append(PastRow past) {
        RowTable table = RowTable.of(past.type().kind());
        StoredRow row = past.row();
        List<Object> values = new ArrayList<>(List.of(past.type().name()));
        values.addAll(table.values(row.identity()));
        values.addAll(List.of(row.commitId(), row.schemaVersion(), row.fieldsJson()));
        try {
            if (row.isEnd()) {
                Features.declareRetractions(connection);
            }
            connection.update(table.appendSql(), values.toArray());
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public void bus(BusRecord entry) {
        try {
            new BusRows(connection).insert(entry);
        } catch (SQLException e) {
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public void finish() {
        try {
            Latest.catchUp(connection, Latest.Writer.OTHERS);
            connection.commit();
            connections.noteHead(connection);
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            connection.rollback();
        } finally {
            connections.doneWriting();
        }
    }
}
