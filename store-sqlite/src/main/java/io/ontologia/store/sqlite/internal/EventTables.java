package io.ontologia.store.sqlite.internal;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tables of the event bus, exactly as the specification writes them, and one of ours that counts removed events. */
final class EventTables {
    private static final String[] SPECIFIED = {"""
        CREATE TABLE IF NOT EXISTS events (
            id TEXT PRIMARY KEY,
            namespace TEXT NOT NULL,
            type TEXT NOT NULL,
            payload TEXT NOT NULL,
            created_at TEXT NOT NULL,
            priority INTEGER NOT NULL DEFAULT 100,
            root_event_id TEXT NOT NULL,
            chain_depth INTEGER NOT NULL DEFAULT 0
        )""", """
        CREATE INDEX IF NOT EXISTS idx_events_namespace_type_order
            ON events(namespace, type, priority DESC, created_at ASC, id ASC)""", """
        CREATE TABLE IF NOT EXISTS event_claims (
            event_id TEXT NOT NULL,
            handler_id TEXT NOT NULL,
            session_id TEXT NOT NULL,
            claimed_at TEXT NOT NULL,
            lease_until TEXT NOT NULL,
            ack_at TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            available_at TEXT NOT NULL,
            last_error TEXT,
            dead_lettered_at TEXT,
            PRIMARY KEY (event_id, handler_id)
        )""", """
        CREATE INDEX IF NOT EXISTS idx_event_claims_handler_state
            ON event_claims(handler_id, ack_at, dead_lettered_at, lease_until, available_at)""", """
        CREATE INDEX IF NOT EXISTS idx_event_claims_event
            ON event_claims(event_id)""", """
        CREATE TABLE IF NOT EXISTS dead_letters (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            event_id TEXT NOT NULL,
            handler_id TEXT NOT NULL,
            namespace TEXT NOT NULL,
            failed_at TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            last_error TEXT NOT NULL,
            event_type TEXT NOT NULL,
            event_payload TEXT NOT NULL,
            root_event_id TEXT NOT NULL,
            chain_depth INTEGER NOT NULL
        )""", """
        CREATE INDEX IF NOT EXISTS idx_dead_letters_namespace_failed
            ON dead_letters(namespace, failed_at DESC)""", """
        CREATE TABLE IF NOT EXISTS sessions (
            session_id TEXT PRIMARY KEY,
            namespace TEXT NOT NULL,
            started_at TEXT NOT NULL,
            last_heartbeat TEXT NOT NULL,
            metadata TEXT
        )""", """
        CREATE INDEX IF NOT EXISTS idx_sessions_heartbeat
            ON sessions(last_heartbeat)""", """
        CREATE INDEX IF NOT EXISTS idx_sessions_namespace
            ON sessions(namespace)"""};

    /**
     * How many events were removed so far, by any program: SQLite gives the row ids of removed events to later ones, so that the
     * highest row id alone does not show that events arrived.
     */
    private static final String[] OURS = {"""
        CREATE TABLE IF NOT EXISTS onto_event_removals (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            removed INTEGER NOT NULL
        )""", "INSERT OR IGNORE INTO onto_event_removals VALUES (1, 0)", """
        CREATE TRIGGER IF NOT EXISTS onto_events_delete AFTER DELETE ON events
            BEGIN UPDATE onto_event_removals SET removed = removed + 1; END"""};

    private static final List<String> NAMES = List.of(
            "events",
            "idx_events_namespace_type_order",
            "event_claims",
            "idx_event_claims_handler_state",
            "idx_event_claims_event",
            "dead_letters",
            "idx_dead_letters_namespace_failed",
            "sessions",
            "idx_sessions_heartbeat",
            "idx_sessions_namespace");

    private static final List<String> OUR_NAMES = List.of("onto_event_removals", "onto_events_delete");

    private static final Map<String, String> COLUMNS = Map.of(
            "events",
            "id, namespace, type, payload, created_at, priority, root_event_id, chain_depth",
            "event_claims",
            "event_id, handler_id, session_id, claimed_at, lease_until, ack_at, attempts, available_at,"
                    + " last_error, dead_lettered_at",
            "dead_letters",
            "id, event_id, handler_id, namespace, failed_at, attempts, last_error, event_type, event_payload,"
                    + " root_event_id, chain_depth",
            "sessions",
            "session_id, namespace, started_at, last_heartbeat, metadata");

    private EventTables() {}

    /** Every statement that defines something. */
    static Stream<String> definitions() {
        return Stream.concat(Stream.of(SPECIFIED), Stream.of(OURS));
    }

    /** Whether everything that {@link #prepare} makes is there. */
    static boolean areReady(SqlConnection connection) throws SQLException {
        return Tables.missing(connection, NAMES).isEmpty()
                && Tables.missing(connection, OUR_NAMES).isEmpty();
    }

    /** The tables and indexes of the specification that a file lacks. */
    static List<String> missing(SqlConnection connection) throws SQLException {
        return Tables.missing(connection, NAMES);
    }

    /** Makes what is missing. Inside a transaction of the caller's. */
    static void prepare(SqlConnection connection) throws SQLException {
        connection.execute(SPECIFIED);
        connection.execute(OURS);
    }

    /** Lets a file without them be read: empty views that live in the connection alone stand in for the tables. */
    static void standIn(SqlConnection connection) throws SQLException {
        for (Map.Entry<String, String> table : COLUMNS.entrySet()) {
            if (Tables.columns(connection, table.getKey()).isEmpty()) {
                String columns = "NULL AS " + table.getValue().replace(", ", ", NULL AS ");
                connection.execute("CREATE TEMP VIEW " + table.getKey() + " AS SELECT " + columns + " WHERE 0");
            }
        }
    }
}
