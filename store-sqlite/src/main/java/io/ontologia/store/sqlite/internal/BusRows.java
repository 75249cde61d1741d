package io.ontologia.store.sqlite.internal;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventSession;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes all records of the event bus, for copies. Inside a transaction of the caller's. */
final class BusRows {
    private static final String SESSIONS =
            "SELECT session_id, namespace, started_at, last_heartbeat, metadata FROM sessions";
    private static final String LETTERS = "SELECT " + EventRows.DEAD_LETTER + " FROM dead_letters";
    private static final String CLAIMS =
            "SELECT " + EventRows.CLAIM + ", e.namespace FROM event_claims c JOIN events e ON e.id = c.event_id";
    private static final String EVENTS = "SELECT " + EventRows.EVENT + " FROM events e";

    private static final String CONTENT = """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM event_claims)
                OR EXISTS (SELECT 1 FROM dead_letters) OR EXISTS (SELECT 1 FROM sessions)""";

    private static final String INSERT_SESSION = """
            INSERT OR IGNORE INTO sessions (session_id, namespace, started_at, last_heartbeat, metadata)
            VALUES (?, ?, ?, ?, ?)""";

    private static final String INSERT_LETTER = """
            INSERT INTO dead_letters (event_id, handler_id, namespace, failed_at, attempts, last_error, event_type,
                event_payload, root_event_id, chain_depth)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String INSERT_CLAIM = """
            INSERT OR IGNORE INTO event_claims (event_id, handler_id, session_id, claimed_at, lease_until, ack_at, attempts,
                available_at, last_error, dead_lettered_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private final SqlConnection connection;

    BusRows(SqlConnection connection) {
        this.connection = connection;
    }

    /** Whether there is any record. */
    boolean isEmpty() throws SQLException {
        return connection.number(CONTENT).isEmpty();
    }

    private interface Reader {
        BusRecord read(ResultSet rows) throws SQLException;
    }

    /** Gives every record, events last. */
    void forEach(Consumer<BusRecord> action) throws SQLException {
        read(SESSIONS, rows -> new BusRecord.OfSession(EventRows.session(rows)), action);
        read(LETTERS, rows -> new BusRecord.OfDeadLetter(EventRows.deadLetter(rows)), action);
        read(CLAIMS, rows -> new BusRecord.OfClaim(rows.getString(11), EventRows.claim(rows)), action);
        read(EVENTS, rows -> new BusRecord.OfEvent(EventRows.event(rows)), action);
    }

    private void read(String sql, Reader reader, Consumer<BusRecord> action) throws SQLException {
        try (PreparedStatement statement = connection.open(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                action.accept(reader.read(rows));
            }
        }
    }

    /** Stores a record. */
    void insert(BusRecord entry) throws SQLException {
        if (entry instanceof BusRecord.OfSession of) {
            insert(of.session());
        } else if (entry instanceof BusRecord.OfDeadLetter of) {
            insert(of.letter());
        } else if (entry instanceof BusRecord.OfClaim of) {
            insert(of.claim());
        } else if (entry instanceof BusRecord.OfEvent of) {
            insert(of.event());
        }
    }

    private void insert(EventSession session) throws SQLException {
        requireStored(
                "session " + session.sessionId(),
                connection.update(
                        INSERT_SESSION,
                        session.sessionId(),
                        session.namespace(),
                        UtcTimestamp.format(session.startedAt()),
                        UtcTimestamp.format(session.lastHeartbeat()),
                        CanonicalJson.write(session.metadata())));
    }

    private void insert(DeadLetter letter) throws SQLException {
        connection.update(
                INSERT_LETTER,
                letter.eventId(),
                letter.handlerId(),
                letter.namespace(),
                UtcTimestamp.format(letter.failedAt()),
                letter.attempts(),
                letter.lastError(),
                letter.eventType(),
                letter.payloadJson(),
                letter.rootEventId(),
                letter.chainDepth());
    }

    private void insert(ClaimState claim) throws SQLException {
        requireStored(
                "a claim on event " + claim.eventId(),
                connection.update(
                        INSERT_CLAIM,
                        claim.eventId(),
                        claim.handlerId(),
                        claim.sessionId(),
                        UtcTimestamp.format(claim.claimedAt()),
                        UtcTimestamp.format(claim.leaseUntil()),
                        text(claim.ackAt()),
                        claim.attempts(),
                        UtcTimestamp.format(claim.availableAt()),
                        claim.lastError().orElse(null),
                        text(claim.deadLetteredAt())));
    }

    private void insert(Event event) throws SQLException {
        EventRows.insert(connection, List.of(event));
    }

    private static @Nullable String text(Optional<Instant> moment) {
        return moment.map(UtcTimestamp::format).orElse(null);
    }

    private static void requireStored(String what, int rows) {
        if (rows == 0) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot copy the event bus",
                    what + " is there twice, in two namespaces",
                    "only an object store can hold that: copy to one; nothing was changed");
        }
    }
}
