package io.ontologia.store.sqlite.internal;

import java.sql.SQLException;

/**
 * Keeps the tables of latest versions level with the history, whoever wrote it. A payload that is no JSON is copied as
 * {@code null}: it is reported when it is read, and does not stop the reading and writing of every other row.
 */
final class Latest {
    private static final String IS_CURRENT = """
            SELECT dirty = 0
               AND entity_upto = coalesce((SELECT max(id) FROM entity_history), 0)
               AND relation_upto = coalesce((SELECT max(id) FROM relation_history), 0)
            FROM onto_latest_state""";

    private static final String ADVANCE_ENTITIES = """
            INSERT INTO onto_entity_latest
                (entity_type, entity_key, commit_id, schema_version_id, canonical, fields_json)
            SELECT entity_type, entity_key, commit_id, schema_version_id, 0, iif(json_valid(fields_json), fields_json, 'null')
            FROM entity_history WHERE id > (SELECT entity_upto FROM onto_latest_state) ORDER BY id
            ON CONFLICT DO UPDATE SET commit_id = excluded.commit_id, schema_version_id = excluded.schema_version_id,
                canonical = 0, fields_json = excluded.fields_json
            WHERE excluded.commit_id > onto_entity_latest.commit_id""";

    private static final String ADVANCE_RELATIONS = """
            INSERT INTO onto_relation_latest
                (relation_type, left_key, right_key, instance_key, commit_id, schema_version_id, canonical, fields_json)
            SELECT relation_type, left_key, right_key, instance_key, commit_id, schema_version_id, 0,
                iif(json_valid(fields_json), fields_json, 'null')
            FROM relation_history WHERE id > (SELECT relation_upto FROM onto_latest_state) ORDER BY id
            ON CONFLICT DO UPDATE SET commit_id = excluded.commit_id, schema_version_id = excluded.schema_version_id,
                canonical = 0, fields_json = excluded.fields_json
            WHERE excluded.commit_id > onto_relation_latest.commit_id""";

    private static final String MARK_CURRENT = """
            UPDATE onto_latest_state SET dirty = 0,
                entity_upto = coalesce((SELECT max(id) FROM entity_history), 0),
                relation_upto = coalesce((SELECT max(id) FROM relation_history), 0)""";

    private Latest() {}

    /** Whether the latest versions can be read as they are, in the snapshot that the connection sees. */
    static boolean isCurrent(SqlConnection connection) throws SQLException {
        return connection.number(IS_CURRENT).orElse(0) == 1;
    }

    /** Catches up with what other writers did. Inside a write transaction of the caller's. */
    static void catchUp(SqlConnection connection) throws SQLException {
        if (isCurrent(connection)) {
            return;
        }
        if (connection.number("SELECT dirty FROM onto_latest_state").orElse(1) != 0) {
            connection.update("DELETE FROM onto_entity_latest");
            connection.update("DELETE FROM onto_relation_latest");
            connection.update("UPDATE onto_latest_state SET entity_upto = 0, relation_upto = 0");
        }
        connection.update(ADVANCE_ENTITIES);
        connection.update(ADVANCE_RELATIONS);
        markCurrent(connection);
    }

    /** Notes that everything in the history so far is in the latest versions. */
    static void markCurrent(SqlConnection connection) throws SQLException {
        connection.update(MARK_CURRENT);
    }
}
