package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.DeadLetterEvents;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** What happens to the rows of claims. Every statement acts only on the claim it was given, and only while that lives. */
final class ClaimRows {
    private static final Duration JITTER = Duration.ofMillis(100);

    private static final String TAKE = """
            INSERT INTO event_claims (event_id, handler_id, session_id, claimed_at, lease_until, attempts, available_at)
            VALUES (?, ?, ?, ?, ?, 0, ?)
            ON CONFLICT (event_id, handler_id) DO UPDATE SET session_id = excluded.session_id,
                claimed_at = excluded.claimed_at, lease_until = excluded.lease_until""";

    /** Begins with a line end, to follow a statement. */
    private static final String LIVE = """

            WHERE event_id = ? AND handler_id = ? AND session_id = ? AND claimed_at = ?
                AND ack_at IS NULL AND dead_lettered_at IS NULL AND lease_until > ?""";

    private static final String ATTEMPTS = "SELECT attempts FROM event_claims" + LIVE;
    private static final String ACK = "UPDATE event_claims SET ack_at = ?" + LIVE;
    private static final String RENEW = "UPDATE event_claims SET lease_until = ?" + LIVE;
    private static final String RETRY = """
            UPDATE event_claims SET attempts = ?, last_error = ?, lease_until = ?, available_at = ?""" + LIVE;
    private static final String BURY = """
            UPDATE event_claims SET attempts = ?, last_error = ?, lease_until = ?, available_at = ?,
                dead_lettered_at = ?""" + LIVE;
    private static final String DEAD_LETTER = """
            INSERT INTO dead_letters (event_id, handler_id, namespace, failed_at, attempts, last_error, event_type,
                event_payload, root_event_id, chain_depth)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private final SqlConnection connection;
    private final EventOptions options;
    private final Instant now;
    private final String nowText;
    private final MomentText moments = new MomentText();

    ClaimRows(SqlConnection connection, EventOptions options, Instant now) {
        this.connection = connection;
        this.options = options;
        this.now = now.truncatedTo(ChronoUnit.MICROS);
        this.nowText = UtcTimestamp.format(now);
    }

    private Object[] with(Claim claim, Object... values) {
        Object[] parameters = Arrays.copyOf(values, values.length + 5);
        parameters[values.length] = claim.event().id();
        parameters[values.length + 1] = claim.handlerId();
        parameters[values.length + 2] = claim.sessionId();
        parameters[values.length + 3] = moments.of(claim.claimedAt());
        parameters[values.length + 4] = nowText;
        return parameters;
    }

    List<Claim> take(ClaimRequest request, String handlerId, List<ClaimSearch.Candidate> candidates)
            throws SQLException {
        Instant leaseUntil = now.plus(options.claimLease());
        String leaseText = UtcTimestamp.format(leaseUntil);
        List<Claim> claims = new ArrayList<>();
        for (ClaimSearch.Candidate candidate : candidates) {
            Event event = candidate.event();
            connection.update(TAKE, event.id(), handlerId, request.sessionId(), nowText, leaseText, nowText);
            claims.add(new Claim(event, handlerId, request.sessionId(), now, leaseUntil, candidate.attempts()));
        }
        return claims;
    }

    /** How often the handler has failed, when the claim is live. */
    OptionalLong attempts(Claim claim) throws SQLException {
        return connection.number(ATTEMPTS, with(claim));
    }

    boolean isLive(Claim claim) throws SQLException {
        return attempts(claim).isPresent();
    }

    ClaimOutcome ack(Claim claim) throws SQLException {
        return done(connection.update(ACK, with(claim, nowText)));
    }

    ClaimOutcome handBack(Claim claim) throws SQLException {
        return done(connection.update(RENEW, with(claim, nowText)));
    }

    private static ClaimOutcome done(int rows) {
        return rows == 1 ? new ClaimOutcome.Done() : new ClaimOutcome.LostClaim();
    }

    ClaimOutcome renew(Claim claim) throws SQLException {
        Instant leaseUntil = now.plus(options.claimLease());
        return connection.update(RENEW, with(claim, UtcTimestamp.format(leaseUntil))) == 1
                ? new ClaimOutcome.Renewed(claim.leaseUntil(leaseUntil))
                : new ClaimOutcome.LostClaim();
    }

    ClaimOutcome release(Claim claim, String error, RandomGenerator random) throws SQLException {
        OptionalLong before = attempts(claim);
        if (before.isEmpty()) {
            return new ClaimOutcome.LostClaim();
        }
        long attempts = before.getAsLong() + 1;
        String reason = error.isBlank() ? "handler failure" : error;
        if (attempts >= options.maxAttempts()) {
            bury(claim, attempts, reason, random);
            return new ClaimOutcome.DeadLettered(attempts);
        }
        Instant availableAt = now.plus(options.backoff(attempts)).plusMillis(random.nextLong(JITTER.toMillis() + 1));
        connection.update(RETRY, with(claim, attempts, reason, nowText, UtcTimestamp.format(availableAt)));
        return new ClaimOutcome.Retry(attempts, availableAt);
    }

    private void bury(Claim claim, long attempts, String reason, RandomGenerator random) throws SQLException {
        Event event = claim.event();
        connection.update(BURY, with(claim, attempts, reason, nowText, nowText, nowText));
        DeadLetter letter = new DeadLetter(
                event.id(),
                claim.handlerId(),
                event.namespace(),
                now,
                attempts,
                reason,
                event.type(),
                event.payloadJson(),
                event.rootEventId(),
                event.chainDepth());
        connection.update(
                DEAD_LETTER,
                letter.eventId(),
                letter.handlerId(),
                letter.namespace(),
                nowText,
                letter.attempts(),
                letter.lastError(),
                letter.eventType(),
                letter.payloadJson(),
                letter.rootEventId(),
                letter.chainDepth());
        EventRows.insert(
                connection, DeadLetterEvents.about(letter, options).stream().toList(), now, random);
    }
}
