package io.ontologia.store.sqlite.internal;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventCleanup;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventSession;
import io.ontologia.core.EventStatus;
import io.ontologia.core.ListedEvent;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators ask the event bus, and its clean-up. */
final class EventReads {
    private static final String LIST = "SELECT " + EventRows.EVENT + """
            , max(c.dead_lettered_at IS NOT NULL), max(c.ack_at IS NOT NULL), max(c.lease_until > ?)
            FROM (SELECT * FROM events WHERE namespace = ? ORDER BY priority DESC, created_at, id LIMIT ?) e
            LEFT JOIN event_claims c ON c.event_id = e.id
            GROUP BY e.id ORDER BY e.priority DESC, e.created_at, e.id""";

    private static final String NAMESPACES = """
            SELECT n.namespace, (SELECT count(*) FROM events e WHERE e.namespace = n.namespace),
                (SELECT count(*) FROM sessions s WHERE s.namespace = n.namespace),
                (SELECT count(*) FROM dead_letters d WHERE d.namespace = n.namespace)
            FROM (SELECT namespace FROM events UNION SELECT namespace FROM sessions) n ORDER BY n.namespace""";

    private static final String SESSION =
            "SELECT session_id, namespace, started_at, last_heartbeat, metadata FROM sessions";

    private static final String OLD = "SELECT id FROM events WHERE namespace = ? AND created_at < ?";

    private EventReads() {}

    private static <T> List<T> all(
            SqlConnection connection, RowStream.Reader<T> reader, String sql, @Nullable Object... parameters)
            throws SQLException {
        List<T> found = new ArrayList<>();
        try (ResultSet rows = connection.prepare(sql, parameters).executeQuery()) {
            while (rows.next()) {
                found.add(reader.read(rows));
            }
        }
        return found;
    }

    static List<ListedEvent> list(SqlConnection connection, String namespace, int limit, Instant now)
            throws SQLException {
        return all(
                connection,
                rows -> new ListedEvent(EventRows.event(rows), status(rows)),
                LIST,
                UtcTimestamp.format(now),
                namespace,
                Math.max(0, limit));
    }

    private static EventStatus status(ResultSet rows) throws SQLException {
        if (rows.getInt(9) == 1) {
            return EventStatus.DEAD_LETTERED;
        }
        if (rows.getInt(10) == 1) {
            return EventStatus.ACKED;
        }
        return rows.getInt(11) == 1 ? EventStatus.CLAIMED : EventStatus.PENDING;
    }

    static List<EventNamespace> namespaces(SqlConnection connection) throws SQLException {
        return all(
                connection,
                rows -> new EventNamespace(rows.getString(1), rows.getLong(2), rows.getLong(3), rows.getLong(4)),
                NAMESPACES);
    }

    static EventSession session(SqlConnection connection, String sessionId) throws SQLException {
        return all(connection, EventRows::session, SESSION + " WHERE session_id = ?", sessionId)
                .get(0);
    }

    static List<EventSession> sessions(SqlConnection connection, String namespace) throws SQLException {
        return all(
                connection,
                EventRows::session,
                SESSION + " WHERE namespace = ? ORDER BY started_at, session_id",
                namespace);
    }

    static List<DeadLetter> deadLetters(SqlConnection connection, String namespace, int limit) throws SQLException {
        return all(
                connection,
                EventRows::deadLetter,
                "SELECT " + EventRows.DEAD_LETTER
                        + " FROM dead_letters WHERE namespace = ? ORDER BY failed_at DESC, id DESC LIMIT ?",
                namespace,
                Math.max(0, limit));
    }

    static List<EventInspection> inspect(SqlConnection connection, String eventId) throws SQLException {
        Optional<Event> event = EventRows.byId(connection, eventId);
        if (event.isEmpty()) {
            return List.of();
        }
        List<ClaimState> claims = all(
                connection,
                EventRows::claim,
                "SELECT " + EventRows.CLAIM + " FROM event_claims c WHERE c.event_id = ? ORDER BY c.handler_id",
                eventId);
        return List.of(new EventInspection(event.get(), claims));
    }

    static EventCleanup planCleanup(SqlConnection connection, String namespace, Instant before) throws SQLException {
        String moment = UtcTimestamp.format(before);
        long events = connection
                .number("SELECT count(*) FROM (" + OLD + ")", namespace, moment)
                .orElse(0);
        long claims = connection
                .number("SELECT count(*) FROM event_claims WHERE event_id IN (" + OLD + ")", namespace, moment)
                .orElse(0);
        return new EventCleanup(events, claims);
    }

    static EventCleanup cleanup(SqlConnection connection, String namespace, Instant before) throws SQLException {
        String moment = UtcTimestamp.format(before);
        int claims = connection.update("DELETE FROM event_claims WHERE event_id IN (" + OLD + ")", namespace, moment);
        int events = connection.update("DELETE FROM events WHERE namespace = ? AND created_at < ?", namespace, moment);
        return new EventCleanup(events, claims);
    }
}
