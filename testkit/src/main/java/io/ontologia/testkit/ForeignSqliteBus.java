package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Section 9 of the specification of the store on SQLite: the event bus by plain JDBC. */
final class ForeignSqliteBus implements ForeignBus {
    private static final String OWNER = "foreign";

    private final PlainSqlite file;
    private final Clock clock;

    ForeignSqliteBus(PlainSqlite file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    private String now() {
        return UtcTimestamp.format(clock.now());
    }

    @Override
    public void enqueue(String namespace, String id, String type) throws SQLException {
        insert(id, namespace, type, "{\"by\": \"foreign\"}", id, 0);
    }

    private void insert(String id, String namespace, String type, String payload, String root, long depth)
            throws SQLException {
        file.execute(
                "INSERT INTO events (id, namespace, type, payload, created_at, priority, root_event_id, chain_depth)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                id,
                namespace,
                type,
                payload,
                now(),
                100,
                root,
                depth);
    }

    @Override
    public Optional<String> claim(String namespace, String handlerId, String type) throws SQLException {
        file.execute("BEGIN IMMEDIATE");
        List<List<String>> found = file.rows("""
                SELECT e.id FROM events e LEFT JOIN event_claims c ON c.event_id = e.id AND c.handler_id = ?
                WHERE e.namespace = ? AND e.type = ? AND (c.event_id IS NULL OR (c.ack_at IS NULL
                    AND c.dead_lettered_at IS NULL AND c.lease_until <= ? AND c.available_at <= ?))
                ORDER BY e.priority DESC, e.created_at ASC, e.id ASC LIMIT 1""", handlerId, namespace, type, now(), now());
        for (List<String> event : found) {
            file.execute(
                    """
                    INSERT INTO event_claims (event_id, handler_id, session_id, claimed_at, lease_until, ack_at, attempts,
                        available_at, last_error, dead_lettered_at) VALUES (?, ?, ?, ?, ?, NULL, 0, ?, NULL, NULL)
                    ON CONFLICT (event_id, handler_id) DO UPDATE SET session_id = excluded.session_id,
                        claimed_at = excluded.claimed_at, lease_until = excluded.lease_until""",
                    event.get(0),
                    handlerId,
                    OWNER,
                    now(),
                    UtcTimestamp.format(clock.now().plus(LEASE)),
                    now());
        }
        file.execute("COMMIT");
        return found.stream().findFirst().map(event -> event.get(0));
    }

    @Override
    public void ack(String namespace, String handlerId, String eventId) throws SQLException {
        file.execute(
                "UPDATE event_claims SET ack_at = ? WHERE event_id = ? AND handler_id = ?", now(), eventId, handlerId);
    }

    @Override
    public void release(String namespace, String handlerId, String eventId, String error) throws SQLException {
        file.execute("BEGIN IMMEDIATE");
        file.execute(
                "UPDATE event_claims SET attempts = attempts + 1, last_error = ?, lease_until = ?"
                        + " WHERE event_id = ? AND handler_id = ?",
                error,
                now(),
                eventId,
                handlerId);
        long attempts = file.number(
                "SELECT attempts FROM event_claims WHERE event_id = ? AND handler_id = ?", eventId, handlerId);
        boolean isLast = attempts >= MAX_ATTEMPTS;
        file.execute(
                "UPDATE event_claims SET available_at = ?, dead_lettered_at = ? WHERE event_id = ? AND handler_id = ?",
                isLast ? now() : UtcTimestamp.format(clock.now().plus(ForeignBus.backoff(attempts))),
                isLast ? now() : null,
                eventId,
                handlerId);
        if (isLast) {
            bury(namespace, handlerId, eventId, attempts, error);
        }
        file.execute("COMMIT");
    }

    private void bury(String namespace, String handlerId, String eventId, long attempts, String error)
            throws SQLException {
        List<String> event = file.rows(
                        "SELECT type, payload, root_event_id, chain_depth FROM events WHERE id = ?", eventId)
                .get(0);
        file.execute(
                "INSERT INTO dead_letters (event_id, handler_id, namespace, failed_at, attempts, last_error,"
                        + " event_type, event_payload, root_event_id, chain_depth) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                eventId,
                handlerId,
                namespace,
                now(),
                attempts,
                error,
                event.get(0),
                event.get(1),
                event.get(2),
                Long.parseLong(event.get(3)));
        insert(
                UUID.nameUUIDFromBytes((eventId + handlerId).getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .toString(),
                namespace,
                "event.dead_letter",
                ForeignJson.text(ForeignJson.fields("event_id", eventId, "handler_id", handlerId)),
                event.get(2),
                Long.parseLong(event.get(3)) + 1);
    }

    @Override
    public void register(String namespace, String sessionId, Map<String, ?> metadata) throws SQLException {
        file.execute("""
                INSERT INTO sessions (session_id, namespace, started_at, last_heartbeat, metadata) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (session_id) DO UPDATE SET namespace = excluded.namespace,
                    last_heartbeat = excluded.last_heartbeat, metadata = excluded.metadata""", sessionId, namespace, now(), now(), ForeignJson.text(metadata));
    }

    @Override
    public void heartbeat(String namespace, String sessionId) throws SQLException {
        file.execute("UPDATE sessions SET last_heartbeat = ? WHERE session_id = ?", now(), sessionId);
    }

    @Override
    public void cleanup(String namespace, Instant before) throws SQLException {
        String moment = UtcTimestamp.format(before);
        file.execute("BEGIN IMMEDIATE");
        file.execute(
                "DELETE FROM event_claims WHERE event_id IN"
                        + " (SELECT id FROM events WHERE namespace = ? AND created_at < ?)",
                namespace,
                moment);
        file.execute("DELETE FROM events WHERE namespace = ? AND created_at < ?", namespace, moment);
        file.execute("COMMIT");
    }

    @Override
    public List<String> events(String namespace) throws SQLException {
        return file.joined(" ", """
                        SELECT e.id, e.type, CASE
                            WHEN EXISTS (SELECT 1 FROM event_claims c WHERE c.event_id = e.id
                                AND c.dead_lettered_at IS NOT NULL) THEN 'dead_lettered'
                            WHEN EXISTS (SELECT 1 FROM event_claims c WHERE c.event_id = e.id AND c.ack_at IS NOT NULL)
                                THEN 'acked'
                            WHEN EXISTS (SELECT 1 FROM event_claims c WHERE c.event_id = e.id AND c.lease_until > ?)
                                THEN 'claimed'
                            ELSE 'pending' END
                        FROM events e WHERE e.namespace = ?
                        ORDER BY e.priority DESC, e.created_at ASC, e.id ASC""", now(), namespace);
    }

    @Override
    public List<String> claims(String namespace, String eventId) throws SQLException {
        return file.joined(
                " ",
                "SELECT handler_id, session_id, attempts, last_error FROM event_claims WHERE event_id = ?"
                        + " ORDER BY handler_id",
                eventId);
    }

    @Override
    public List<String> deadLetters(String namespace) throws SQLException {
        return file.joined(
                " ",
                "SELECT event_id, handler_id, attempts, last_error FROM dead_letters WHERE namespace = ?"
                        + " ORDER BY failed_at DESC",
                namespace);
    }

    @Override
    public List<String> sessions(String namespace) throws SQLException {
        return file
                .rows(
                        "SELECT session_id, started_at, last_heartbeat, metadata FROM sessions WHERE namespace = ?"
                                + " ORDER BY session_id",
                        namespace)
                .stream()
                .map(row -> row.get(0) + " " + row.get(1) + " " + row.get(2) + " "
                        + io.ontologia.kernel.CanonicalJson.write(io.ontologia.kernel.Json.parse(row.get(3))))
                .toList();
    }
}
