package io.ontologia.store.sqlite.internal;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventSession;
import io.ontologia.core.NewEvent;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Rows of the event bus's tables as values, and the way in for events. */
final class EventRows {
    /** What {@link #event} reads, of {@code events e}. */
    static final String EVENT =
            "e.id, e.namespace, e.type, e.payload, e.priority, e.created_at, e.root_event_id, e.chain_depth";

    /** What {@link #claim} reads, of {@code event_claims c}. */
    static final String CLAIM = "c.event_id, c.handler_id, c.session_id, c.claimed_at, c.lease_until, c.ack_at,"
            + " c.attempts, c.available_at, c.last_error, c.dead_lettered_at";

    /** What {@link #deadLetter} reads. */
    static final String DEAD_LETTER = "event_id, handler_id, namespace, failed_at, attempts, last_error, event_type,"
            + " event_payload, root_event_id, chain_depth";

    private static final String INSERT = """
            INSERT OR IGNORE INTO events (id, namespace, type, payload, priority, created_at, root_event_id, chain_depth)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""";

    private EventRows() {}

    /** Stores events inside a transaction of the caller's, and returns them as they are stored. */
    static List<Event> insert(
            SqlConnection connection, Collection<NewEvent> events, Instant now, RandomGenerator random)
            throws SQLException {
        return insert(
                connection,
                events.stream().map(event -> event.complete(now, random)).toList());
    }

    /** As {@link #insert(SqlConnection, Collection, Instant, RandomGenerator)}, for events that are complete. */
    static List<Event> insert(SqlConnection connection, List<Event> events) throws SQLException {
        List<Event> stored = new ArrayList<>();
        MomentText moments = new MomentText();
        for (Event event : events) {
            int inserted = connection.update(
                    INSERT,
                    event.id(),
                    event.namespace(),
                    event.type(),
                    event.payloadJson(),
                    event.priority(),
                    moments.of(event.createdAt()),
                    event.rootEventId(),
                    event.chainDepth());
            stored.add(inserted == 1 ? event : present(connection, event));
        }
        return stored;
    }

    private static Event present(SqlConnection connection, Event wanted) throws SQLException {
        return byId(connection, wanted.id())
                .filter(event -> event.namespace().equals(wanted.namespace()))
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot enqueue event " + wanted.id(),
                        "another namespace has an event with this id",
                        "use another id"));
    }

    static Optional<Event> byId(SqlConnection connection, String id) throws SQLException {
        try (ResultSet rows = connection
                .prepare("SELECT " + EVENT + " FROM events e WHERE e.id = ?", id)
                .executeQuery()) {
            return rows.next() ? Optional.of(event(rows)) : Optional.empty();
        }
    }

    /** The columns of {@link #EVENT}, which come first. */
    static Event event(ResultSet rows) throws SQLException {
        return new Event(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                rows.getString(4),
                rows.getLong(5),
                StoredText.moment("events", rows.getString(6)),
                rows.getString(7),
                rows.getLong(8));
    }

    /** The columns of {@link #CLAIM}, which come first. */
    static ClaimState claim(ResultSet rows) throws SQLException {
        return new ClaimState(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                StoredText.moment("event_claims", rows.getString(4)),
                StoredText.moment("event_claims", rows.getString(5)),
                moment(rows, 6),
                rows.getLong(7),
                StoredText.moment("event_claims", rows.getString(8)),
                Optional.ofNullable(rows.getString(9)),
                moment(rows, 10));
    }

    private static Optional<Instant> moment(ResultSet rows, int column) throws SQLException {
        return Optional.ofNullable(rows.getString(column)).map(text -> StoredText.moment("event_claims", text));
    }

    /** The columns of {@link #DEAD_LETTER}. */
    static DeadLetter deadLetter(ResultSet rows) throws SQLException {
        return new DeadLetter(
                rows.getString(1),
                rows.getString(2),
                rows.getString(3),
                StoredText.moment("dead_letters", rows.getString(4)),
                rows.getLong(5),
                rows.getString(6),
                rows.getString(7),
                rows.getString(8),
                rows.getString(9),
                rows.getLong(10));
    }

    /** Session id, namespace, start, last heartbeat and metadata. */
    static EventSession session(ResultSet rows) throws SQLException {
        String metadata = rows.getString(5);
        return new EventSession(
                rows.getString(1),
                rows.getString(2),
                StoredText.moment("sessions", rows.getString(3)),
                StoredText.moment("sessions", rows.getString(4)),
                metadata == null
                        ? Map.of()
                        : JsonObject.parse("the metadata of session " + rows.getString(1), metadata)
                                .fields());
    }
}
