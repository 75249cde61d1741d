package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SqlFragment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The table that says which tables there are and what they stand at, read and written in transactions of the caller's. */
final class LatestCatalog {
    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS %s.applied (
                kind VARCHAR, name VARCHAR, id BIGINT, commit_id BIGINT, fingerprint VARCHAR, columns VARCHAR)""";
    private static final String CREATE_ASKED = "CREATE TABLE IF NOT EXISTS %s.asked (kind VARCHAR, name VARCHAR)";
    private static final String ASKED = "SELECT kind, name FROM %s.asked";
    private static final String ASK = "INSERT INTO %s.asked VALUES (?, ?)";
    private static final String ANSWERED = "DELETE FROM %s.asked";
    private static final String FIND = """
            SELECT id, commit_id, fingerprint, columns FROM %s.applied WHERE kind = ? AND name = ?""";
    private static final String NEXT_ID = "SELECT coalesce(max(id), 0) + 1 FROM %s.applied";
    private static final String DELETE = "DELETE FROM %s.applied WHERE kind = ? AND name = ?";
    private static final String INSERT = "INSERT INTO %s.applied VALUES (?, ?, ?, ?, ?, ?)";
    private static final String MOVE = """
            UPDATE %s.applied SET commit_id = ?, fingerprint = ? WHERE kind = ? AND name = ?""";

    private static final String INDEXES = """
            SELECT count(*) FROM duckdb_indexes() WHERE database_name = ? AND table_name = ?""";

    private final String file;

    LatestCatalog(String file) {
        this.file = file;
    }

    /**
     * One table.
     *
     * @param id makes its name; names of types would not do, because DuckDB ignores their case
     */
    record Entry(long id, LatestTables.Applied applied, FieldColumns columns) {}

    /** Makes a file ready, or throws when it is none of ours. */
    static void prepare(Connection connection, String file) throws SQLException {
        Database.execute(connection, CREATE.formatted(file));
        Database.execute(connection, CREATE_ASKED.formatted(file));
        new LatestCatalog(file).find(connection, TypeRef.entity("any"));
    }

    /** The name of a table. */
    String table(long id) {
        return file + ".t" + id;
    }

    /** Whether a table has an index. */
    boolean isIndexed(Connection connection, Entry entry) throws SQLException {
        try (PreparedStatement statement =
                        Database.prepare(connection, SqlFragment.of(INDEXES, file, "t" + entry.id()));
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1) > 0;
        }
    }

    Optional<Entry> find(Connection connection, TypeRef type) throws SQLException {
        try (PreparedStatement statement = Database.prepare(
                        connection,
                        SqlFragment.of(FIND.formatted(file), type.kind().wireName(), type.name()));
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            return Optional.of(new Entry(
                    rows.getLong(1),
                    new LatestTables.Applied(rows.getLong(2), rows.getString(3)),
                    FieldColumns.parse(rows.getString(4))));
        }
    }

    /** The types that somebody wants a table of that was not made. */
    Set<TypeRef> asked(Connection connection) throws SQLException {
        try (PreparedStatement statement = Database.prepare(connection, SqlFragment.of(ASKED.formatted(file)));
                ResultSet rows = statement.executeQuery()) {
            Set<TypeRef> types = new HashSet<>();
            while (rows.next()) {
                types.add(new TypeRef(TypeKind.of(rows.getString(1)), rows.getString(2)));
            }
            return types;
        }
    }

    /** Notes which those are. */
    void noteAsked(Connection connection, Set<TypeRef> types) throws SQLException {
        Database.execute(connection, ANSWERED.formatted(file));
        for (TypeRef type : types) {
            Database.execute(
                    connection, SqlFragment.of(ASK.formatted(file), type.kind().wireName(), type.name()));
        }
    }

    long nextId(Connection connection) throws SQLException {
        try (PreparedStatement statement = Database.prepare(connection, SqlFragment.of(NEXT_ID.formatted(file)));
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    void put(Connection connection, TypeRef type, Entry entry) throws SQLException {
        delete(connection, type);
        Database.execute(
                connection,
                SqlFragment.of(
                        INSERT.formatted(file),
                        type.kind().wireName(),
                        type.name(),
                        entry.id(),
                        entry.applied().commitId(),
                        entry.applied().fingerprint(),
                        entry.columns().toJson()));
    }

    void move(Connection connection, TypeRef type, LatestTables.Applied applied) throws SQLException {
        Database.execute(
                connection,
                SqlFragment.of(
                        MOVE.formatted(file),
                        applied.commitId(),
                        applied.fingerprint(),
                        type.kind().wireName(),
                        type.name()));
    }

    void delete(Connection connection, TypeRef type) throws SQLException {
        Database.execute(
                connection, SqlFragment.of(DELETE.formatted(file), type.kind().wireName(), type.name()));
    }
}
