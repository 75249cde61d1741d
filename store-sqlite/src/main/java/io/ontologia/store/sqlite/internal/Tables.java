package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The tables of a store: those of the specification, exactly as it writes them, and our own beside them, whose names start
 * with {@code onto_}. Old files get the columns they lack.
 */
final class Tables {
    private static final String[] SPECIFIED = {"""
        CREATE TABLE IF NOT EXISTS commits (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            created_at TEXT NOT NULL,
            metadata_json TEXT
        )""", """
        CREATE TABLE IF NOT EXISTS entity_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            entity_type TEXT NOT NULL,
            entity_key TEXT NOT NULL,
            fields_json TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            schema_version_id INTEGER,
            FOREIGN KEY (commit_id) REFERENCES commits(id)
        )""", """
        CREATE INDEX IF NOT EXISTS idx_entity_history_lookup
            ON entity_history(entity_type, entity_key, commit_id DESC)""", """
        CREATE TABLE IF NOT EXISTS relation_history (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            relation_type TEXT NOT NULL,
            left_key TEXT NOT NULL,
            right_key TEXT NOT NULL,
            instance_key TEXT NOT NULL DEFAULT '',
            fields_json TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            schema_version_id INTEGER,
            FOREIGN KEY (commit_id) REFERENCES commits(id)
        )""", """
        CREATE TABLE IF NOT EXISTS schema_registry (
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            schema_json TEXT NOT NULL,
            PRIMARY KEY (type_kind, type_name)
        )""", """
        CREATE TABLE IF NOT EXISTS schema_versions (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            type_kind TEXT NOT NULL,
            type_name TEXT NOT NULL,
            schema_version_id INTEGER NOT NULL,
            schema_json TEXT NOT NULL,
            schema_hash TEXT NOT NULL,
            created_at TEXT NOT NULL,
            runtime_id TEXT,
            reason TEXT,
            UNIQUE(type_kind, type_name, schema_version_id)
        )""", """
        CREATE TABLE IF NOT EXISTS locks (
            lock_name TEXT PRIMARY KEY,
            owner_id TEXT NOT NULL,
            acquired_at TEXT NOT NULL,
            expires_at TEXT NOT NULL
        )"""};

    /** Made after the column that it needs is surely there. */
    private static final String RELATION_INDEX = """
            CREATE INDEX IF NOT EXISTS idx_relation_history_lookup
                ON relation_history(relation_type, left_key, right_key, instance_key, commit_id DESC)""";

    /**
     * The latest version of each row and the extent of each commit, kept beside the history. The state row shows up to
     * which row of the history they are level: writers that do not know these tables only append to the history, and so
     * does a run of small commits. Where others change or remove history, the triggers mark the copies as no longer to be
     * trusted.
     */
    private static final String[] OURS = {
        """
        CREATE TABLE IF NOT EXISTS onto_entity_latest (
            entity_type TEXT NOT NULL,
            entity_key TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            schema_version_id INTEGER,
            canonical INTEGER NOT NULL,
            fields_json TEXT NOT NULL,
            PRIMARY KEY (entity_type, entity_key)
        ) WITHOUT ROWID""",
        """
        CREATE TABLE IF NOT EXISTS onto_relation_latest (
            relation_type TEXT NOT NULL,
            left_key TEXT NOT NULL,
            right_key TEXT NOT NULL,
            instance_key TEXT NOT NULL,
            commit_id INTEGER NOT NULL,
            schema_version_id INTEGER,
            canonical INTEGER NOT NULL,
            fields_json TEXT NOT NULL,
            PRIMARY KEY (relation_type, left_key, right_key, instance_key)
        ) WITHOUT ROWID""",
        """
        CREATE INDEX IF NOT EXISTS onto_relation_latest_right
            ON onto_relation_latest(relation_type, right_key)""",
        copiesOfOthers("entity"),
        copiesOfOthers("relation"),
        """
        CREATE TABLE IF NOT EXISTS onto_latest_state (
            id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id = 1), -- AUTOINCREMENT: so that sqlite_sequence surely exists
            entity_upto INTEGER NOT NULL,
            relation_upto INTEGER NOT NULL,
            dirty INTEGER NOT NULL
        )""",
        "INSERT OR REPLACE INTO onto_latest_state VALUES (1, 0, 0, 1)",
        rowsOfCommits("entity"),
        rowsOfCommits("relation"),
        trigger("entity_history", "DELETE"),
        trigger("entity_history", "UPDATE"),
        trigger("relation_history", "DELETE"),
        trigger("relation_history", "UPDATE")
    };

    /** Where in the history the rows of each commit are: an index on the commit would cost every small commit a page. */
    private static String rowsOfCommits(String kind) {
        return """
            CREATE TABLE IF NOT EXISTS onto_%s_commits (
                commit_id INTEGER PRIMARY KEY,
                first_id INTEGER NOT NULL,
                last_id INTEGER NOT NULL,
                row_count INTEGER NOT NULL
            )""".formatted(kind);
    }

    /**
     * The copies of rows that other programs may have written. Files of earlier versions lack these indexes, and are read
     * without.
     */
    private static String copiesOfOthers(String kind) {
        return """
            CREATE INDEX IF NOT EXISTS onto_%1$s_latest_others
                ON onto_%1$s_latest(%1$s_type, schema_version_id) WHERE canonical = 0""".formatted(kind);
    }

    private static String trigger(String table, String event) {
        return """
            CREATE TRIGGER IF NOT EXISTS onto_%s_%s AFTER %s ON %s
            BEGIN UPDATE onto_latest_state SET dirty = 1 WHERE dirty = 0; END""".formatted(table, event.toLowerCase(Locale.ROOT), event, table);
    }

    /** Every statement that defines something. */
    static Stream<String> definitions() {
        return Stream.of(Stream.of(SPECIFIED), Stream.of(RELATION_INDEX), Stream.of(OURS))
                .flatMap(statements -> statements);
    }

    private Tables() {}

    private static final List<String> NAMES = List.of(
            "commits",
            "entity_history",
            "idx_entity_history_lookup",
            "relation_history",
            "idx_relation_history_lookup",
            "schema_registry",
            "schema_versions",
            "locks");

    private static final List<String> OUR_NAMES = List.of(
            "onto_entity_latest",
            "onto_relation_latest",
            "onto_relation_latest_right",
            "onto_latest_state",
            "onto_entity_commits",
            "onto_relation_commits",
            "onto_entity_history_delete",
            "onto_entity_history_update",
            "onto_relation_history_delete",
            "onto_relation_history_update");

    /** A version for a type that has none: that of its newest rows, which others may have written. */
    static final String BOOTSTRAP_VERSION = """
            coalesce(CASE type_kind
                WHEN 'entity' THEN (SELECT max(h.schema_version_id) FROM entity_history h WHERE h.entity_type = type_name)
                ELSE (SELECT max(h.schema_version_id) FROM relation_history h WHERE h.relation_type = type_name) END, 1)""";

    private static final String UNVERSIONED = """
            FROM schema_registry r WHERE NOT EXISTS (SELECT 1 FROM schema_versions v
                WHERE v.type_kind = r.type_kind AND v.type_name = r.type_name)""";

    /** Brings a file into the form that the rest of this package expects. Inside a transaction of the caller's. */
    static void prepare(SqlConnection connection, Clock clock) throws SQLException {
        connection.execute(SPECIFIED);
        addMissingColumns(connection);
        connection.execute(RELATION_INDEX);
        // Where any of ours is missing, the copies that are there may be out of date: they are made again.
        if (!hasLatest(connection)) {
            connection.execute(OURS);
        }
        bootstrapVersions(connection, clock);
    }

    /** Whether the file has everything that {@link #prepare} makes, so that nothing needs to be written. */
    static boolean areReady(SqlConnection connection) throws SQLException {
        return missing(connection, NAMES).isEmpty()
                && hasLatest(connection)
                && connection.number("SELECT 1 " + UNVERSIONED + " LIMIT 1").isEmpty();
    }

    /** Whether the file has our copies of the latest versions beside the history. */
    static boolean hasLatest(SqlConnection connection) throws SQLException {
        return missing(connection, OUR_NAMES).isEmpty();
    }

    /** The tables and indexes of the specification that a file lacks. */
    static List<String> missing(SqlConnection connection) throws SQLException {
        return missing(connection, NAMES);
    }

    /** Those of some tables, indexes and triggers that a file lacks. */
    static List<String> missing(SqlConnection connection, List<String> names) throws SQLException {
        Set<String> present = new HashSet<>();
        try (ResultSet rows = connection
                .prepare("SELECT name FROM sqlite_master WHERE name NOT GLOB 'onto_ix_*'")
                .executeQuery()) {
            while (rows.next()) {
                present.add(rows.getString(1));
            }
        }
        return names.stream().filter(name -> !present.contains(name)).toList();
    }

    static Set<String> columns(SqlConnection connection, String table) throws SQLException {
        Set<String> names = new HashSet<>();
        try (ResultSet rows = connection
                .prepare("SELECT name FROM pragma_table_info(?)", table)
                .executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static void addMissingColumns(SqlConnection connection) throws SQLException {
        for (String table : List.of("entity_history", "relation_history")) {
            if (!columns(connection, table).contains("schema_version_id")) {
                connection.execute("ALTER TABLE " + table + " ADD COLUMN schema_version_id INTEGER");
            }
        }
        if (!columns(connection, "relation_history").contains("instance_key")) {
            connection.execute(
                    "ALTER TABLE relation_history ADD COLUMN instance_key TEXT NOT NULL DEFAULT ''",
                    "DROP INDEX IF EXISTS idx_relation_history_lookup");
        }
    }

    /** Registered types without a schema version get the one of what the registry holds. */
    private static void bootstrapVersions(SqlConnection connection, Clock clock) throws SQLException {
        List<Object[]> registered = new ArrayList<>();
        try (ResultSet rows = connection
                .prepare("SELECT type_kind, type_name, " + BOOTSTRAP_VERSION + ", schema_json " + UNVERSIONED)
                .executeQuery()) {
            while (rows.next()) {
                registered.add(new Object[] {rows.getString(1), rows.getString(2), rows.getLong(3), rows.getString(4)});
            }
        }
        for (Object[] type : registered) {
            connection.update(
                    """
                    INSERT INTO schema_versions (type_kind, type_name, schema_version_id, schema_json, schema_hash,
                        created_at, reason) VALUES (?, ?, ?, ?, ?, ?, 'bootstrap')""",
                    type[0],
                    type[1],
                    type[2],
                    type[3],
                    Sha256.hex(CanonicalJson.writeAscii(Json.parse((String) type[3]))),
                    UtcTimestamp.format(clock.now()));
        }
    }
}
