package io.ontologia.store.sqlite.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A file from its first commit to its last, in one read transaction: one pass over the log and one over each history. */
final class PastCommits implements StoreHistory {
    private static final String WHAT = "cannot read the history";

    private static final String ROWS =
            "SELECT commit_id, coalesce(schema_version_id, 1), fields_json, {keys} FROM {history} ORDER BY ";

    /** Rows are appended commit by commit, so their ids have the order of commits, unless somebody edited them. */
    private static final String OUT_OF_ORDER = """
            SELECT 1 FROM (SELECT commit_id, lag(commit_id) OVER (ORDER BY id) AS before FROM {history})
            WHERE commit_id < before LIMIT 1""";

    private final Connections connections;
    private final SqlConnection connection;
    private final long head;
    private final List<TypeHistory> types;
    private final boolean hasErasures;
    private final List<Cursor> histories = new ArrayList<>();
    private final PreparedStatement logStatement;
    private final ResultSet log;
    private long current = Long.MIN_VALUE;
    private boolean closed;

    private PastCommits(Connections connections, SqlConnection connection) throws SQLException {
        this.connections = connections;
        this.connection = connection;
        this.head = Log.head(connection);
        this.types = types(connection);
        this.hasErasures = ErasedRows.exist(connection);
        for (RowTable table : RowTable.values()) {
            histories.add(new Cursor(table));
        }
        this.logStatement = connection.open(Log.entries(connections.hasLatest(connection)) + " ORDER BY c.id");
        this.log = logStatement.executeQuery();
    }

    static PastCommits open(Connections connections) {
        SqlConnection connection = connections.startReading();
        boolean opened = false;
        try {
            connection.begin("BEGIN");
            try {
                PastCommits history = new PastCommits(connections, connection);
                opened = true;
                return history;
            } finally {
                if (!opened) {
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        } finally {
            if (!opened) {
                connections.doneReading(connection);
            }
        }
    }

    private static List<TypeHistory> types(SqlConnection connection) throws SQLException {
        Set<TypeRef> known = Schemas.currentVersions(connection).keySet();
        Map<TypeRef, List<SchemaVersion>> versions = new LinkedHashMap<>();
        for (SchemaVersion version : Schemas.all(connection)) {
            versions.computeIfAbsent(version.type(), unused -> new ArrayList<>())
                    .add(version);
        }
        List<TypeHistory> types = new ArrayList<>();
        versions.forEach((type, all) -> types.add(new TypeHistory(
                type, known.contains(type) ? TypeHistory.Status.KNOWN : TypeHistory.Status.DROPPED, all)));
        return types;
    }

    /** The rows of one kind, one commit after the other. */
    private final class Cursor {
        private final RowTable table;
        private final PreparedStatement statement;
        private final ResultSet rows;
        private boolean hasRow;

        Cursor(RowTable table) throws SQLException {
            this.table = table;
            boolean inOrder = connection.number(table.sql(OUT_OF_ORDER)).isEmpty();
            this.statement = connection.open(table.sql(ROWS) + (inOrder ? "id" : "commit_id, id"));
            this.rows = statement.executeQuery();
            this.hasRow = rows.next();
        }

        long commitId() throws SQLException {
            return hasRow ? rows.getLong(1) : Long.MAX_VALUE;
        }

        PastRow take() throws SQLException {
            TypeRef type = StoredText.type(table.history(), table.kind(), connections.text(rows, 4));
            StoredRow row = new StoredRow(
                    table.read(connections::text, rows, 5),
                    connections.text(rows, 3),
                    rows.getLong(1),
                    rows.getLong(2));
            hasRow = rows.next();
            return new PastRow(type, row);
        }

        TypeKind kind() {
            return table.kind();
        }
    }

    @Override
    public long head() {
        return head;
    }

    @Override
    public List<TypeHistory> types() {
        return types;
    }

    @Override
    public Optional<CommitInfo> next() {
        try {
            rows(unused -> {});
            Optional<CommitInfo> next = log.next() ? Optional.of(Log.read(log)) : Optional.empty();
            current = next.map(CommitInfo::id).orElse(Long.MAX_VALUE);
            for (Cursor history : histories) {
                if (history.commitId() < current) {
                    throw new OntologiaException(
                            ErrorKind.CORRUPT,
                            WHAT,
                            "a " + history.kind().wireName() + " belongs to commit " + history.commitId()
                                    + ", which does not exist",
                            "run 'onto fsck'");
                }
            }
            return next;
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public void rows(Consumer<PastRow> action) {
        try {
            for (Cursor history : histories) {
                while (history.hasRow && history.commitId() == current) {
                    action.accept(history.take());
                }
            }
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public void bus(Consumer<BusRecord> action) {
        try {
            new BusRows(connection).forEach(action);
        } catch (SQLException e) {
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public List<ErasedRow> erased() {
        try {
            return hasErasures ? ErasedRows.ofCommit(connection, current) : List.of();
        } catch (SQLException e) {
            throw SqlErrors.wrap(WHAT, e);
        }
    }

    @Override
    public List<RowsDigest> purged() {
        try {
            return Digests.purged(connection, current);
        } catch (SQLException e) {
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
            log.close();
            logStatement.close();
            for (Cursor history : histories) {
                history.rows.close();
                history.statement.close();
            }
            connection.rollback();
        } catch (SQLException e) {
            connection.failed(e);
            throw SqlErrors.wrap(WHAT, e);
        } finally {
            connections.doneReading(connection);
        }
    }
}
