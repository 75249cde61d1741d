package io.ontologia.cli.internal.admin;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A database as the specification writes it down, before it knew schema versions and instance keys. */
final class HandmadeFile {
    private HandmadeFile() {}

    static void create(Path file) {
        execute(
                file,
                "CREATE TABLE commits (id INTEGER PRIMARY KEY AUTOINCREMENT, created_at TEXT NOT NULL, metadata_json TEXT)",
                "CREATE TABLE entity_history (id INTEGER PRIMARY KEY AUTOINCREMENT, entity_type TEXT NOT NULL, entity_key TEXT"
                        + " NOT NULL, fields_json TEXT NOT NULL, commit_id INTEGER NOT NULL)",
                "CREATE TABLE relation_history (id INTEGER PRIMARY KEY AUTOINCREMENT, relation_type TEXT NOT NULL, left_key TEXT"
                        + " NOT NULL, right_key TEXT NOT NULL, fields_json TEXT NOT NULL, commit_id INTEGER NOT NULL)",
                "CREATE TABLE schema_registry (type_kind TEXT NOT NULL, type_name TEXT NOT NULL, schema_json TEXT NOT NULL,"
                        + " PRIMARY KEY (type_kind, type_name))",
                """
                INSERT INTO schema_registry VALUES ('entity', 'Customer', '{"entity_name": "Customer", "fields": {
                    "id": {"primary_key": true, "index": false, "type": "<class ''str''>"},
                    "name": {"primary_key": false, "index": false, "type": "<class ''str''>"}}}')""",
                "INSERT INTO commits (created_at) VALUES ('2026-01-01T00:00:00+00:00')",
                """
                INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id)
                VALUES ('Customer', 'c1', '{"id": "c1", "name": "Alice"}', 1)""");
    }

    /** Runs SQL on a file, as somebody with the sqlite3 tool would. */
    static void execute(Path file, String... statements) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
