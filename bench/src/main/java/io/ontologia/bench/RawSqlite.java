package io.ontologia.bench;

import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A SQLite file with the specification's tables, used with plain JDBC: the floor. It does not map the file into memory, as
 * ours does not: a mapped file that another process truncates ends the process.
 */
final class RawSqlite implements AutoCloseable {
    static final String INSERT_ROW =
            "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                    + " VALUES ('Customer', ?, ?, ?, 1)";
    static final String INSERT_COMMIT = "INSERT INTO commits (created_at, metadata_json) VALUES (?, NULL) RETURNING id";
    static final String NOW = "2026-01-01T00:00:00.000000+00:00";

    private final Connection connection;

    /** Opens a file of its own; tables are made when they are missing. */
    RawSqlite(Path file, String synchronous) throws SQLException {
        this(file, synchronous, 0);
    }

    /**
     * @param mapped so many bytes of the file are mapped into memory
     */
    RawSqlite(Path file, String synchronous, long mapped) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        execute(
                "PRAGMA journal_mode=WAL",
                "PRAGMA synchronous=" + synchronous,
                "PRAGMA foreign_keys=ON",
                "PRAGMA cache_size=-65536",
                "PRAGMA mmap_size=" + mapped,
                """
                CREATE TABLE IF NOT EXISTS commits (id INTEGER PRIMARY KEY AUTOINCREMENT, created_at TEXT NOT NULL,
                    metadata_json TEXT)""",
                """
                CREATE TABLE IF NOT EXISTS entity_history (id INTEGER PRIMARY KEY AUTOINCREMENT,
                    entity_type TEXT NOT NULL, entity_key TEXT NOT NULL, fields_json TEXT NOT NULL,
                    commit_id INTEGER NOT NULL, schema_version_id INTEGER,
                    FOREIGN KEY (commit_id) REFERENCES commits(id))""",
                """
                CREATE INDEX IF NOT EXISTS idx_entity_history_lookup
                    ON entity_history(entity_type, entity_key, commit_id DESC)""");
        connection.setAutoCommit(false);
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    long newCommit() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT_COMMIT)) {
            insert.setString(1, NOW);
            try (ResultSet id = insert.executeQuery()) {
                id.next();
                return id.getLong(1);
            }
        }
    }

    PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    void commit() throws SQLException {
        connection.commit();
    }

    /** Fetches every row and reads its first three columns; returns how many there were. */
    long fetch(String sql, Object... parameters) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setObject(i + 1, parameters[i]);
            }
            long count = 0;
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    if (rows.getString(1).length() + rows.getString(2).length() + rows.getLong(3) == 0) {
                        throw new IllegalStateException("unexpected row");
                    }
                    count++;
                }
            }
            return count;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Our session on a file. */
    static Session session(Path file, io.ontologia.core.SessionOptions options) {
        return Ontologia.open("sqlite:///" + file, options, Customer.class, Product.class, Subscription.class);
    }
}
