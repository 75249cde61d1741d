package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The hashes of erased rows, in tables of ours that a file gets with its first erasure. The state row says whether the content of
 * erased rows may still be in the file or in its write-ahead log.
 */
final class ErasedRows {
    private static final String[] TABLES = {"""
        CREATE TABLE IF NOT EXISTS onto_erased_rows (
            commit_id INTEGER NOT NULL,
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            row_sha256 TEXT NOT NULL,
            erased_by INTEGER NOT NULL
        )""", """
        CREATE INDEX IF NOT EXISTS onto_erased_rows_commit
            ON onto_erased_rows(commit_id)""", """
        CREATE TABLE IF NOT EXISTS onto_erasure_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            pending INTEGER NOT NULL
        )"""};

    private static final String EXISTS = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";

    private ErasedRows() {}

    /** Every statement that defines something. */
    static Stream<String> definitions() {
        return Stream.of(TABLES);
    }

    /** Whether rows were ever erased. */
    static boolean exist(SqlConnection connection) throws SQLException {
        return connection.number(EXISTS, "onto_erased_rows").isPresent();
    }

    /** The newest erasure whose content may still be in the file, as the commit that records it; 0 when there is none. */
    static long pending(SqlConnection connection) throws SQLException {
        return connection.number(EXISTS, "onto_erasure_state").isPresent()
                ? connection.number("SELECT pending FROM onto_erasure_state").orElse(0)
                : 0;
    }

    /** Makes the tables. Inside a transaction of the caller's. */
    static void prepare(SqlConnection connection) throws SQLException {
        connection.execute(TABLES);
    }

    /** Notes that the content of rows that a commit erased may still be in the file. */
    static void setPending(SqlConnection connection, long commitId) throws SQLException {
        connection.update("INSERT OR REPLACE INTO onto_erasure_state (id, pending) VALUES (1, ?)", commitId);
    }

    /** Notes that the content of erased rows is gone, up to an erasure. */
    static void setFinished(SqlConnection connection, long commitId) throws SQLException {
        connection.update("UPDATE onto_erasure_state SET pending = 0 WHERE pending = ?", commitId);
    }

    /** Notes a row that a commit wrote and that was erased. */
    static void add(SqlConnection connection, long commitId, ErasedRow row) throws SQLException {
        connection.update(
                "INSERT INTO onto_erased_rows (commit_id, type_kind, type_name, row_sha256, erased_by)"
                        + " VALUES (?, ?, ?, ?, ?)",
                commitId,
                row.type().kind().wireName(),
                row.type().name(),
                row.sha256(),
                row.erasedBy());
    }

    /** The erased rows of a commit. */
    static List<ErasedRow> ofCommit(SqlConnection connection, long commitId) throws SQLException {
        return read(connection, "WHERE commit_id = ?", commitId).stream()
                .map(Noted::row)
                .toList();
    }

    /**
     * A row that is noted as erased.
     *
     * @param commitId the commit that wrote it
     */
    record Noted(long commitId, ErasedRow row) {}

    /** The erased rows of a type. */
    static List<Noted> ofType(SqlConnection connection, TypeRef type) throws SQLException {
        return exist(connection)
                ? read(
                        connection,
                        "WHERE type_kind = ? AND type_name = ?",
                        type.kind().wireName(),
                        type.name())
                : List.of();
    }

    /** All erased rows. */
    static List<Noted> all(SqlConnection connection) throws SQLException {
        return exist(connection) ? read(connection, "") : List.of();
    }

    /** Forgets the erased rows of a type: they are covered by what is kept of its purged rows. */
    static void purge(SqlConnection connection, TypeRef type) throws SQLException {
        if (exist(connection)) {
            connection.update(
                    "DELETE FROM onto_erased_rows WHERE type_kind = ? AND type_name = ?",
                    type.kind().wireName(),
                    type.name());
        }
    }

    private static List<Noted> read(SqlConnection connection, String where, Object... parameters) throws SQLException {
        List<Noted> found = new ArrayList<>();
        try (ResultSet rows = connection
                .prepare(
                        "SELECT commit_id, type_kind, type_name, row_sha256, erased_by FROM onto_erased_rows " + where,
                        parameters)
                .executeQuery()) {
            while (rows.next()) {
                TypeRef type = StoredText.type(
                        "onto_erased_rows", StoredText.kind("onto_erased_rows", rows.getString(2)), rows.getString(3));
                found.add(new Noted(rows.getLong(1), row(type, SqlErrors.present(rows.getString(4)), rows.getLong(5))));
            }
        }
        return found;
    }

    private static ErasedRow row(TypeRef type, String sha256, long erasedBy) {
        try {
            return new ErasedRow(type, sha256, erasedBy);
        } catch (IllegalArgumentException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read onto_erased_rows",
                    "'" + sha256 + "' is no hash of a row",
                    "restore the file from a backup",
                    e);
        }
    }
}
