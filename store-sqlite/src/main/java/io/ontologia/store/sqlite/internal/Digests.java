package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowsDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The digests of commits, in tables beside the specified ones. Programs that do not know them make commits without a digest; the
 * commits after those have none either, until {@code onto digest --apply} records what is missing.
 */
final class Digests {
    private static final String[] TABLES = {"""
        CREATE TABLE IF NOT EXISTS onto_commit_digests (
            commit_id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL
        )""", """
        CREATE TABLE IF NOT EXISTS onto_purged_rows (
            commit_id INTEGER NOT NULL,
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            row_count INTEGER NOT NULL,
            rows_sha256 TEXT,
            PRIMARY KEY (commit_id, type_kind, type_name)
        ) WITHOUT ROWID"""};

    /** The digest of the newest commit, as an expression. */
    static final String NEWEST =
            "(SELECT digest FROM onto_commit_digests WHERE commit_id = (SELECT max(id) FROM commits))";

    private static final String SOURCE = """
            SELECT commit_id, coalesce(schema_version_id, 1), fields_json, {identity} FROM {history} WHERE {type} = ?""";

    private Digests() {}

    /** Every statement that defines something. */
    static Stream<String> definitions() {
        return Stream.of(TABLES);
    }

    /** Whether everything that {@link #prepare} makes is there. */
    static boolean areReady(SqlConnection connection) throws SQLException {
        return connection
                        .number("SELECT count(*) FROM sqlite_master"
                                + " WHERE name IN ('onto_commit_digests', 'onto_purged_rows')")
                        .orElse(0)
                == 2;
    }

    /** Makes what is missing. Inside a transaction of the caller's. */
    static void prepare(SqlConnection connection) throws SQLException {
        connection.execute(TABLES);
    }

    /** Lets a file without the tables be read: empty views that live in the connection alone stand in for them. */
    static void standIn(SqlConnection connection) throws SQLException {
        connection.execute(
                "CREATE TEMP VIEW onto_commit_digests AS SELECT 0 AS commit_id, '' AS digest WHERE 0",
                "CREATE TEMP VIEW onto_purged_rows AS SELECT 0 AS commit_id, '' AS type_kind, '' AS type_name,"
                        + " 0 AS row_count, '' AS rows_sha256 WHERE 0");
    }

    /** The digest that the next commit builds on; empty where the newest commit has none. */
    static Optional<String> previous(SqlConnection connection) throws SQLException {
        return Log.head(connection) == 0 ? Optional.of(CommitDigest.START) : connection.text("SELECT " + NEWEST);
    }

    /** Notes the digest of a commit. */
    static void record(SqlConnection connection, long commitId, String digest) throws SQLException {
        connection.update("INSERT INTO onto_commit_digests (commit_id, digest) VALUES (?, ?)", commitId, digest);
    }

    /**
     * Notes digests that were missing.
     *
     * @return how many of them nobody else noted meanwhile
     */
    static long recordMissing(SqlConnection connection, Map<Long, String> digests) throws SQLException {
        long recorded = 0;
        for (Map.Entry<Long, String> one : digests.entrySet()) {
            recorded += connection.update(
                    "INSERT OR IGNORE INTO onto_commit_digests (commit_id, digest) VALUES (?, ?)",
                    one.getKey(),
                    one.getValue());
        }
        return recorded;
    }

    /** What is known of the purged rows of a commit. */
    static List<RowsDigest> purged(SqlConnection connection, long commitId) throws SQLException {
        List<RowsDigest> purged = new ArrayList<>();
        try (ResultSet rows = connection
                .prepare(
                        "SELECT type_kind, type_name, row_count, rows_sha256 FROM onto_purged_rows WHERE commit_id = ?",
                        commitId)
                .executeQuery()) {
            while (rows.next()) {
                purged.add(new RowsDigest(
                        StoredText.type(
                                "onto_purged_rows",
                                StoredText.kind("onto_purged_rows", rows.getString(1)),
                                rows.getString(2)),
                        rows.getLong(3),
                        Optional.ofNullable(rows.getString(4))));
            }
        }
        return purged;
    }

    /** Notes what is known of purged rows of a commit. */
    static void addPurged(SqlConnection connection, long commitId, RowsDigest purged) throws SQLException {
        connection.update(
                "INSERT INTO onto_purged_rows (commit_id, type_kind, type_name, row_count, rows_sha256)"
                        + " VALUES (?, ?, ?, ?, ?)",
                commitId,
                purged.type().kind().wireName(),
                purged.type().name(),
                purged.rows(),
                purged.sha256().orElse(null));
    }

    /**
     * Notes the digests of all rows of a type, which are about to be removed, so that the digests of their commits stay what they
     * are.
     */
    static void purge(SqlConnection connection, TypeRef type) throws SQLException {
        RowTable table = RowTable.of(type.kind());
        Map<Long, RowsDigest.Builder> commits = new LinkedHashMap<>();
        try (ResultSet rows = connection.prepare(table.sql(SOURCE), type.name()).executeQuery()) {
            while (rows.next()) {
                long commitId = rows.getLong(1);
                commits.computeIfAbsent(commitId, unused -> RowsDigest.of(type))
                        .add(table.read(rows, 4), commitId, rows.getLong(2), rows.getString(3));
            }
        }
        for (ErasedRows.Noted noted : ErasedRows.ofType(connection, type)) {
            commits.computeIfAbsent(noted.commitId(), unused -> RowsDigest.of(type))
                    .addErased(noted.row().sha256());
        }
        ErasedRows.purge(connection, type);
        for (Map.Entry<Long, RowsDigest.Builder> commit : commits.entrySet()) {
            addPurged(connection, commit.getKey(), commit.getValue().build());
        }
    }

    /** Takes rows of several types. */
    static final class Rows {
        private final long commitId;
        private final Map<TypeRef, RowsDigest.Builder> builders = new LinkedHashMap<>();
        private RowsDigest.@Nullable Builder last;
        private @Nullable TypeRef lastType;

        Rows(long commitId) {
            this.commitId = commitId;
        }

        void add(DesiredRow row, long schemaVersion) {
            of(row.type()).add(row.identity(), commitId, schemaVersion, row.fieldsJson());
        }

        /** The digest of a type's rows. */
        RowsDigest.Builder of(TypeRef type) {
            if (last == null || !type.equals(lastType)) {
                last = builders.computeIfAbsent(type, RowsDigest::of);
                lastType = type;
            }
            return last;
        }

        Collection<RowsDigest> build() {
            return builders.values().stream().map(RowsDigest.Builder::build).toList();
        }
    }
}
