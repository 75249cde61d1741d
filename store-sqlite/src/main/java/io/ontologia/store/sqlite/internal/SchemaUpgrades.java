package io.ontologia.store.sqlite.internal;

import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How rows of one schema version become rows of the next, in a table beside the specified ones. The first migration makes it:
 * programs that do not know it ignore it.
 */
final class SchemaUpgrades {
    private static final String TABLE = """
        CREATE TABLE IF NOT EXISTS onto_schema_upgrades (
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            schema_version_id INTEGER NOT NULL,
            upgrade_json TEXT NOT NULL,
            PRIMARY KEY (type_kind, type_name, schema_version_id)
        ) WITHOUT ROWID""";

    private record Key(String kind, String name, long version) {}

    private SchemaUpgrades() {}

    /** Every statement that defines something. */
    static Stream<String> definitions() {
        return Stream.of(TABLE);
    }

    /** Notes how rows of the version before become rows of this one. Inside a transaction of the caller's. */
    static void record(SqlConnection connection, TypeRef type, long version, String json) throws SQLException {
        connection.execute(TABLE);
        connection.update(
                "INSERT OR REPLACE INTO onto_schema_upgrades (type_kind, type_name, schema_version_id, upgrade_json)"
                        + " VALUES (?, ?, ?, ?)",
                type.kind().wireName(),
                type.name(),
                version,
                json);
    }

    /** The versions with what is noted about them. */
    static List<SchemaVersion> complete(SqlConnection connection, List<SchemaVersion> versions) throws SQLException {
        if (versions.stream().allMatch(version -> version.version() == 1) || !isThere(connection)) {
            return versions;
        }
        Map<Key, String> noted = new HashMap<>();
        try (ResultSet rows = connection
                .prepare("SELECT type_kind, type_name, schema_version_id, upgrade_json FROM onto_schema_upgrades")
                .executeQuery()) {
            while (rows.next()) {
                noted.put(
                        new Key(
                                SqlErrors.present(rows.getString(1)),
                                SqlErrors.present(rows.getString(2)),
                                rows.getLong(3)),
                        SqlErrors.present(rows.getString(4)));
            }
        }
        return versions.stream()
                .map(version -> new SchemaVersion(
                        version.type(),
                        version.version(),
                        version.schemaJson(),
                        version.schemaHash(),
                        version.createdAt(),
                        version.runtimeId(),
                        version.reason(),
                        Optional.ofNullable(noted.get(new Key(
                                version.type().kind().wireName(), version.type().name(), version.version())))))
                .toList();
    }

    private static boolean isThere(SqlConnection connection) throws SQLException {
        return connection
                .number("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'onto_schema_upgrades'")
                .isPresent();
    }
}
