package io.ontologia.testkit;

import java.util.List;

/** The statements of the specification of the store on SQLite, word by word. */
public final class SqliteSpecification {
    /** The tables and indexes of commits, history, schemas and locks. */
    public static final List<String> TABLES = List.of("""
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
        CREATE INDEX idx_entity_history_lookup
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
        CREATE INDEX idx_relation_history_lookup
            ON relation_history(relation_type, left_key, right_key, instance_key, commit_id DESC)""", """
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
        )""");

    /** The newest version of one entity, by type and key. */
    public static final String LATEST_ENTITY = """
            SELECT fields_json, commit_id
            FROM entity_history
            WHERE entity_type = ? AND entity_key = ?
            ORDER BY commit_id DESC
            LIMIT 1""";

    /** The newest versions of all entities, by type, given twice. */
    public static final String LATEST_ENTITIES = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id
            FROM entity_history eh
            INNER JOIN (
                SELECT entity_key, MAX(commit_id) as max_cid
                FROM entity_history
                WHERE entity_type = ?
                GROUP BY entity_key
            ) latest ON eh.entity_key = latest.entity_key
                AND eh.commit_id = latest.max_cid
            WHERE eh.entity_type = ?""";

    /** All entities as of a commit: type, commit, type. */
    public static final String ENTITIES_AS_OF = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id
            FROM entity_history eh
            INNER JOIN (
                SELECT entity_key, MAX(commit_id) as max_cid
                FROM entity_history
                WHERE entity_type = ? AND commit_id <= ?
                GROUP BY entity_key
            ) latest ON eh.entity_key = latest.entity_key
                AND eh.commit_id = latest.max_cid
            WHERE eh.entity_type = ?""";

    /** Every version of all entities, by type. */
    public static final String ENTITY_HISTORY = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id
            FROM entity_history eh
            WHERE eh.entity_type = ?
            ORDER BY eh.commit_id ASC""";

    /** The newest versions of all relations, by type, given twice. */
    public static final String LATEST_RELATIONS = """
            SELECT rh.left_key, rh.right_key, rh.instance_key, rh.fields_json, rh.commit_id
            FROM relation_history rh
            INNER JOIN (
                SELECT left_key, right_key, instance_key, MAX(commit_id) as max_cid
                FROM relation_history
                WHERE relation_type = ?
                GROUP BY left_key, right_key, instance_key
            ) latest ON rh.left_key = latest.left_key
                AND rh.right_key = latest.right_key
                AND rh.instance_key = latest.instance_key
                AND rh.commit_id = latest.max_cid
            WHERE rh.relation_type = ?""";

    /** Adds a condition on the field {@code tier} of the left end: entity type, given twice, and value. */
    public static final String WHOSE_LEFT_END_IS = LATEST_RELATIONS + """

             AND EXISTS (
                SELECT 1 FROM entity_history le
                INNER JOIN (
                    SELECT entity_key, MAX(commit_id) as max_cid
                    FROM entity_history WHERE entity_type = ? GROUP BY entity_key
                ) le_latest ON le.entity_key = le_latest.entity_key
                    AND le.commit_id = le_latest.max_cid
                WHERE le.entity_type = ? AND le.entity_key = rh.left_key
                    AND json_extract(le.fields_json, '$.tier') = ?
            )""";

    private SqliteSpecification() {}
}
