package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Keeps the tables of latest versions and of the commits' extents level with the history, whoever wrote it. A payload that
 * is no JSON is copied as {@code null}: it is reported when it is read, and does not stop the reading and writing of every
 * other row. Rows that ended are not in the copies.
 */
final class Latest {
    /** What the copies are good for. */
    enum Copies {
        /** They say what the history says. */
        LEVEL,
        /** The same, and some rows ended: those are not in the copies. */
        LEVEL_WITHOUT_ENDED,
        /** The history has a few rows after those that they have. */
        BEHIND,
        /** They are not there, were marked as wrong, or are far behind. */
        UNTRUSTED;

        boolean isLevel() {
            return this == LEVEL || this == LEVEL_WITHOUT_ENDED;
        }
    }

    /** Who wrote the rows that the copies lack. */
    enum Writer {
        /** This process did: in canonical form, so that their texts can be compared as they are. */
        US(1),
        /** Somebody else wrote them, or some of them. */
        OTHERS(0);

        private final long canonical;

        Writer(long canonical) {
            this.canonical = canonical;
        }
    }

    private static final String ADVANCE = """
            INSERT INTO {latest} ({keys}, commit_id, schema_version_id, canonical, fields_json)
            SELECT %s, h.commit_id, h.schema_version_id, iif(h.fields_json = 'null', 2, ?1),
                iif(?1 OR json_valid(h.fields_json), h.fields_json, 'null')
            FROM %s WHERE true
            ON CONFLICT DO UPDATE SET commit_id = excluded.commit_id, schema_version_id = excluded.schema_version_id,
                canonical = excluded.canonical, fields_json = excluded.fields_json
            WHERE excluded.commit_id > {latest}.commit_id""";

    /**
     * In the order of the copies, in which each of their pages is touched once. Only keys are sorted, in memory; the limit
     * keeps the inner query with its order from being merged into the outer one.
     */
    private static final Map<RowTable, String> ADVANCE_BY_KEY = advance("""
            (SELECT id FROM {history} NOT INDEXED WHERE id > (SELECT {upto} FROM onto_latest_state)
                ORDER BY {keys}, id LIMIT -1) o CROSS JOIN {history} h ON h.id = o.id""");

    /** For more rows than are worth sorting. */
    private static final Map<RowTable, String> ADVANCE_BY_ID = advance("""
            (SELECT * FROM {history} NOT INDEXED WHERE id > (SELECT {upto} FROM onto_latest_state)
                ORDER BY id LIMIT -1) h""");

    /** Ended rows come with a mark and are removed at once, so that only those are looked for that ended since. */
    private static final Map<RowTable, String> REMOVE_ENDED = RowTable.each("""
            DELETE FROM {latest} WHERE ({keys}) IN (SELECT {keys} FROM {history} NOT INDEXED
                WHERE id > (SELECT {upto} FROM onto_latest_state) AND fields_json = 'null') AND canonical = 2""");

    private static final String ADD_COMMITS = """
            INSERT INTO {commits} SELECT commit_id, min(id), max(id), count(*)
            FROM {history} WHERE id %s (SELECT {upto} FROM onto_latest_state) GROUP BY commit_id
            ON CONFLICT DO UPDATE SET first_id = min(first_id, excluded.first_id),
                last_id = max(last_id, excluded.last_id), row_count = row_count + excluded.row_count""";

    private static final Map<RowTable, String> ADD_NEW_COMMITS = RowTable.each(ADD_COMMITS.formatted(">"));
    private static final Map<RowTable, String> ADD_OLD_COMMITS = RowTable.each(ADD_COMMITS.formatted("<="));

    private static final String MARK_CURRENT = """
            UPDATE onto_latest_state SET dirty = 0,
                entity_upto = coalesce((SELECT max(id) FROM entity_history), 0),
                relation_upto = coalesce((SELECT max(id) FROM relation_history), 0)""";

    private static final Map<RowTable, String> OTHER_VERSIONS = otherVersions();

    private static Map<RowTable, String> otherVersions() {
        Map<RowTable, String> filled = new EnumMap<>(RowTable.class);
        for (RowTable table : RowTable.values()) {
            filled.put(table, CheckRule.fill(table, """
                    SELECT 1 FROM {history} h NOT INDEXED WHERE id > (SELECT {upto} FROM onto_latest_state)
                        AND coalesce(h.schema_version_id, 1) <> (SELECT max(schema_version_id) FROM schema_versions v
                            WHERE v.type_kind = '{kind}' AND v.type_name = h.{type})
                    LIMIT 1"""));
        }
        return filled;
    }

    private static final String COPIED_OTHERS = """
            SELECT 1 FROM {latest} WHERE {type} = ? AND canonical = 0 AND coalesce(schema_version_id, 1) <> ? LIMIT 1""";

    private static final String APPENDED_OTHERS = """
            SELECT 1 FROM {history} NOT INDEXED WHERE id > (SELECT {upto} FROM onto_latest_state)
                AND {type} = ? AND coalesce(schema_version_id, 1) <> ? LIMIT 1""";

    private Latest() {}

    private static Map<RowTable, String> advance(String source) {
        Map<RowTable, String> filled = new EnumMap<>(RowTable.class);
        for (RowTable table : RowTable.values()) {
            String keys = "h." + table.typeColumn() + ", " + table.identityOf("h");
            filled.put(table, table.sql(ADVANCE.formatted(keys, source)));
        }
        return filled;
    }

    /** Whether the latest versions can be read as they are, in the snapshot that the connection sees. */
    static boolean isCurrent(SqlConnection connection) throws SQLException {
        return Position.of(connection).isLevel();
    }

    /** What the copies are good for, in the snapshot that the connection sees. */
    static Copies copies(SqlConnection connection) throws SQLException {
        Position position = Position.of(connection);
        if (position.isLevel()) {
            return Copies.LEVEL;
        }
        return !position.dirty() && Upkeep.areFew(position) ? Copies.BEHIND : Copies.UNTRUSTED;
    }

    /** What catching up met. */
    enum Arrived {
        /** Rows with the current schema version of their type, or none. */
        CURRENT,
        /** Rows of other programs, some of them perhaps with another schema version than the current one of their type. */
        OTHER_VERSIONS
    }

    /** Catches up with what was appended to the history. Inside a write transaction of the caller's. */
    static Arrived catchUp(SqlConnection connection, Writer writer) throws SQLException {
        Position position = Position.of(connection);
        if (position.isLevel()) {
            return Arrived.CURRENT;
        }
        boolean others = position.dirty() || (writer == Writer.OTHERS && haveOtherVersions(connection));
        advance(connection, position, writer);
        return others ? Arrived.OTHER_VERSIONS : Arrived.CURRENT;
    }

    private static boolean haveOtherVersions(SqlConnection connection) throws SQLException {
        for (String find : OTHER_VERSIONS.values()) {
            if (connection.number(find).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether some current rows of a type may have another schema version than the given one. Rows that this program wrote
     * while a type had one version have that one; an index holds the others. Another program may add a version and leave the
     * rows as they are.
     */
    static boolean mayHaveOtherVersions(SqlConnection connection, Copies copies, TypeRef type, long version)
            throws SQLException {
        RowTable table = RowTable.of(type.kind());
        return version > 1
                || copies == Copies.UNTRUSTED
                || connection
                        .number(table.sql(COPIED_OTHERS), type.name(), version)
                        .isPresent()
                || (copies == Copies.BEHIND
                        && connection
                                .number(table.sql(APPENDED_OTHERS), type.name(), version)
                                .isPresent());
    }

    private static void advance(SqlConnection connection, Position position, Writer writer) throws SQLException {
        Writer trusted = writer;
        if (position.dirty()) {
            for (RowTable table : RowTable.values()) {
                connection.update("DELETE FROM " + table.latest());
                connection.update("DELETE FROM " + table.commits());
            }
            connection.update("UPDATE onto_latest_state SET entity_upto = 0, relation_upto = 0");
            trusted = Writer.OTHERS;
        }
        boolean few = !position.dirty() && Upkeep.areFew(position);
        for (String advance : (few ? ADVANCE_BY_KEY : ADVANCE_BY_ID).values()) {
            connection.update(advance, trusted.canonical);
        }
        for (String remove : REMOVE_ENDED.values()) {
            connection.update(remove);
        }
        markCurrent(connection);
    }

    /** Notes that everything in the history so far is in the latest versions. */
    static void markCurrent(SqlConnection connection) throws SQLException {
        for (String add : ADD_NEW_COMMITS.values()) {
            connection.update(add);
        }
        connection.update(MARK_CURRENT);
    }

    /** Finds the commits' extents anew, after rows were removed that the copies were level with. */
    static void recount(SqlConnection connection, RowTable table) throws SQLException {
        connection.update("DELETE FROM " + table.commits());
        connection.update(ADD_OLD_COMMITS.getOrDefault(table, ""));
    }
}
