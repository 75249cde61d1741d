package io.ontologia.store.sqlite.internal;

import io.ontologia.core.ErasureRemains;
import io.ontologia.core.Event;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.Identity;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Erases rows from a file: one transaction removes them from every table; then the whole file is written again without what the
 * removed rows left in its pages, and the write-ahead log is emptied.
 */
final class SqliteEraser implements Eraser {
    private static final String VERSIONS =
            "SELECT {identity}, fields_json, commit_id, coalesce(schema_version_id, 1)" + " FROM {%s} WHERE {type} = ?";

    private final Connections connections;
    private final StorageOptions options;

    SqliteEraser(Connections connections, StorageOptions options) {
        this.connections = connections;
        this.options = options;
    }

    @Override
    public List<String> files(Set<TypeRef> types) {
        return List.of(connections.file().getFileName().toString());
    }

    /** The table of events is all there is. */
    @Override
    public void pastEvents(Consumer<Event> action) {}

    @Override
    public Erased erase(Request request) {
        Erased erased = Transactions.onWriter(connections, "cannot erase", connection -> {
            connection.execute("PRAGMA secure_delete = ON");
            try {
                WriteLock.begin(connection, request.runtimeId(), options.clock(), options.lockTimeout());
                Erased result = Transactions.finish(connection, () -> write(connection, request));
                connections.noteHead(connection);
                return result;
            } finally {
                connection.execute("PRAGMA secure_delete = OFF");
            }
        });
        return new Erased(erased.commitId(), erased.rows(), finish(request.runtimeId(), request.progress()));
    }

    private Erased write(SqlConnection connection, Request request) throws SQLException {
        SqliteLocks.requireHeld(connection, request.lock());
        if (Log.head(connection) != request.expectedHead()) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot erase",
                    "a program that does not use the write lock made a commit",
                    "preview it again; nothing was changed");
        }
        ErasedRows.prepare(connection);
        Latest.catchUp(connection, Latest.Writer.OTHERS);
        Optional<String> previous = Digests.previous(connection);
        Log.Moment moment = Log.nextMoment(connection, options.clock());
        long commitId = connection
                .number("INSERT INTO commits (created_at) VALUES (?) RETURNING id", moment.text())
                .orElseThrow();
        List<ErasedRow> rows = new ArrayList<>();
        long done = 0;
        for (Map.Entry<TypeRef, Set<Identity>> type : request.identities().entrySet()) {
            for (Identity identity : type.getValue()) {
                rows.addAll(remove(connection, type.getKey(), identity, commitId));
                request.progress()
                        .report(
                                type.getKey().toString(),
                                ++done,
                                type.getValue().size());
            }
        }
        for (RowTable table : RowTable.values()) {
            Latest.recount(connection, table);
        }
        Latest.markCurrent(connection);
        removeEvents(connection, request.events());
        if (connection
                .number("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4'")
                .isPresent()) {
            // Samples of indexed keys, which ANALYZE makes.
            connection.update("DELETE FROM sqlite_stat4");
        }
        ErasedRows.setPending(connection, commitId);
        Map<String, @Nullable Object> metadata = request.metadata().apply(List.copyOf(rows));
        connection.update("UPDATE commits SET metadata_json = ? WHERE id = ?", CanonicalJson.write(metadata), commitId);
        if (previous.isPresent()) {
            Digests.record(
                    connection, commitId, CommitDigest.of(previous.get(), commitId, moment.at(), metadata, List.of()));
        }
        return new Erased(commitId, List.copyOf(rows), ErasureRemains.none());
    }

    private List<ErasedRow> remove(SqlConnection connection, TypeRef type, Identity identity, long commitId)
            throws SQLException {
        RowTable table = RowTable.of(type.kind());
        String same = table.identity().stream()
                .map(column -> " AND " + column + " = ?")
                .collect(Collectors.joining());
        List<Object> key = new ArrayList<>(List.of(type.name()));
        key.addAll(table.values(identity));
        List<ErasedRow> erased = new ArrayList<>();
        for (StoredRow row : versions(connection, table, "history", same, key)) {
            ErasedRow one = new ErasedRow(type, RowsDigest.ofRow(row), commitId);
            ErasedRows.add(connection, row.commitId(), one);
            erased.add(one);
        }
        connection.update(table.sql("DELETE FROM {latest} WHERE {type} = ?" + same), key.toArray());
        connection.update(table.sql("DELETE FROM {history} WHERE {type} = ?" + same), key.toArray());
        return erased;
    }

    private List<StoredRow> versions(
            SqlConnection connection, RowTable table, String source, String same, List<Object> key)
            throws SQLException {
        List<StoredRow> versions = new ArrayList<>();
        int after = table.identity().size() + 1;
        try (PreparedStatement statement =
                        connection.open(table.sql(VERSIONS.formatted(source) + same), key.toArray());
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                versions.add(new StoredRow(
                        table.read(connections::text, rows, 1),
                        connections.text(rows, after),
                        rows.getLong(after + 1),
                        rows.getLong(after + 2)));
            }
        }
        return versions;
    }

    private static void removeEvents(SqlConnection connection, List<EventRef> events) throws SQLException {
        for (EventRef event : events) {
            boolean removed = connection.update(
                            "DELETE FROM events WHERE id = ? AND namespace = ?", event.eventId(), event.namespace())
                    > 0;
            if (removed) {
                connection.update("DELETE FROM event_claims WHERE event_id = ?", event.eventId());
            }
            connection.update(
                    "DELETE FROM dead_letters WHERE event_id = ? AND namespace = ?",
                    event.eventId(),
                    event.namespace());
        }
        // The file is written again: workers look at all events once.
        connection.update("UPDATE onto_event_removals SET removed = removed + 1");
    }

    @Override
    public ErasureRemains finish(String runtimeId, Progress progress) {
        return Transactions.onWriter(connections, "cannot remove the content of erased rows", connection -> {
            long pending = ErasedRows.pending(connection);
            if (pending == 0) {
                return ErasureRemains.none();
            }
            progress.report("writing the file again", 0, 1);
            // The copy that VACUUM makes can be as large as the file.
            connection.execute("PRAGMA temp_store = FILE");
            try {
                connection.execute("VACUUM");
            } finally {
                connection.execute("PRAGMA temp_store = MEMORY");
            }
            if (isLogInUse(connection)) {
                return new ErasureRemains(
                        List.of(
                                connections.file().getFileName().toString(),
                                connections.file().getFileName() + "-wal"),
                        Optional.empty(),
                        "a program reads an earlier state of the file: end it, then run 'onto erase --finish'");
            }
            ErasedRows.setFinished(connection, pending);
            progress.report("writing the file again", 1, 1);
            return ErasureRemains.none();
        });
    }

    /** Writes the log to the file and empties it. */
    private static boolean isLogInUse(SqlConnection connection) throws SQLException {
        try (ResultSet rows =
                connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").executeQuery()) {
            return rows.next() && rows.getLong(1) != 0;
        } catch (SQLException e) {
            if (SqlErrors.isBusy(e)) {
                return true;
            }
            throw e;
        }
    }

    @Override
    public List<Finding> check(Progress progress) {
        return Transactions.onReader(connections, "cannot check " + connections.file(), connection -> {
            List<Finding> findings = new ArrayList<>();
            if (ErasedRows.pending(connection) > 0) {
                findings.add(new Finding(
                        "erasure-unfinished",
                        Severity.WARNING,
                        "the file or its write-ahead log may still hold the content of erased rows: run 'onto erase --finish'",
                        1,
                        connections.file().getFileName().toString()));
            }
            Map<TypeRef, Set<String>> erased = new HashMap<>();
            for (ErasedRows.Noted noted : ErasedRows.all(connection)) {
                erased.computeIfAbsent(noted.row().type(), unused -> new HashSet<>())
                        .add(noted.row().sha256());
            }
            long done = 0;
            for (Map.Entry<TypeRef, Set<String>> type : erased.entrySet()) {
                progress.report("erased rows", done++, erased.size());
                present(connection, type.getKey(), type.getValue()).ifPresent(findings::add);
            }
            return findings;
        });
    }

    /** Rows that are noted as erased and are there, for example because an older file was copied into this one. */
    private Optional<Finding> present(SqlConnection connection, TypeRef type, Set<String> erased) throws SQLException {
        RowTable table = RowTable.of(type.kind());
        long found = 0;
        for (String source : List.of("history", "latest")) {
            found += versions(connection, table, source, "", List.of(type.name())).stream()
                    .filter(row -> erased.contains(RowsDigest.ofRow(row)))
                    .count();
        }
        return found == 0
                ? Optional.empty()
                : Optional.of(new Finding(
                        "erased-row-present",
                        Severity.ERROR,
                        "rows that were erased are in the file again: erase them again",
                        found,
                        type.toString()));
    }
}
