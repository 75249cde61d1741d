package io.ontologia.store.object.internal.layout;

import io.ontologia.core.ClaimState;
import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A claim as an object. Beside what the specification asks for it carries two things of our own, which others ignore.
 *
 * @param failedAt when the last attempt that there may be failed: whoever has the claim owes a dead letter, and nothing
 *     else may happen to the event
 * @param attemptId unique to the write, so that equal bytes never hide a lost update
 */
public record ClaimDocument(ClaimState state, Optional<Instant> failedAt, String attemptId) {
    private static final String ATTEMPT = "attempt_id";

    /** A first claim. */
    public static ClaimDocument first(
            String eventId, String handlerId, String sessionId, Instant now, Instant leaseUntil, String attemptId) {
        return new ClaimDocument(
                new ClaimState(
                        eventId,
                        handlerId,
                        sessionId,
                        now,
                        leaseUntil,
                        Optional.empty(),
                        0,
                        now,
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty(),
                attemptId);
    }

    /** A later claim in the place of this one. The reason of the last failure stays until another failure replaces it. */
    public ClaimDocument retaken(String sessionId, Instant now, Instant leaseUntil, String attempt) {
        return new ClaimDocument(
                new ClaimState(
                        state.eventId(),
                        state.handlerId(),
                        sessionId,
                        now,
                        leaseUntil,
                        Optional.empty(),
                        state.attempts(),
                        state.availableAt(),
                        state.lastError(),
                        Optional.empty()),
                failedAt,
                attempt);
    }

    /** Acknowledged. */
    public ClaimDocument acked(Instant now) {
        return with(state.leaseUntil(), Optional.of(now), state.attempts(), state.availableAt(), state.lastError());
    }

    /** With another end. */
    public ClaimDocument leaseUntil(Instant other) {
        return with(other, state.ackAt(), state.attempts(), state.availableAt(), state.lastError());
    }

    /** With one more failure, and free to be claimed again at a moment. */
    public ClaimDocument failed(String error, Instant now, Instant availableAt) {
        return with(now, state.ackAt(), state.attempts() + 1, availableAt, Optional.of(error));
    }

    /** With a failure that was the last; the claim goes on until the dead letter is written. */
    public ClaimDocument failedForGood(String error, Instant now, Instant leaseUntil) {
        ClaimDocument failed = with(leaseUntil, state.ackAt(), state.attempts() + 1, now, Optional.of(error));
        return new ClaimDocument(failed.state, Optional.of(now), attemptId);
    }

    /** Closed after its dead letter was written. */
    public ClaimDocument buried() {
        Instant at = failedAt.orElseThrow();
        return new ClaimDocument(
                new ClaimState(
                        state.eventId(),
                        state.handlerId(),
                        state.sessionId(),
                        state.claimedAt(),
                        at,
                        Optional.empty(),
                        state.attempts(),
                        at,
                        state.lastError(),
                        Optional.of(at)),
                failedAt,
                attemptId);
    }

    /** As another write. */
    public ClaimDocument attempt(String other) {
        return new ClaimDocument(state, failedAt, other);
    }

    private ClaimDocument with(
            Instant leaseUntil, Optional<Instant> ackAt, long attempts, Instant availableAt, Optional<String> error) {
        return new ClaimDocument(
                new ClaimState(
                        state.eventId(),
                        state.handlerId(),
                        state.sessionId(),
                        state.claimedAt(),
                        leaseUntil,
                        ackAt,
                        attempts,
                        availableAt,
                        error,
                        state.deadLetteredAt()),
                failedAt,
                attemptId);
    }

    /** Reads the document under a key. */
    public static ClaimDocument parse(String key, byte[] bytes) {
        return Stored.read(key, () -> read(key, bytes));
    }

    private static ClaimDocument read(String key, byte[] bytes) {
        JsonObject json = Sealed.parseReplaceable(key, bytes, ATTEMPT);
        return new ClaimDocument(
                new ClaimState(
                        EventNames.require("event id", json.text("event_id")),
                        EventNames.require("handler id", json.text("handler_id")),
                        EventNames.require("session id", json.text("session_id")),
                        UtcTimestamp.parse(json.text("claimed_at")),
                        UtcTimestamp.parse(json.text("lease_until")),
                        json.optionalText("ack_at").map(UtcTimestamp::parse),
                        json.integer("attempts"),
                        UtcTimestamp.parse(json.text("available_at")),
                        json.optionalText("last_error"),
                        json.optionalText("dead_lettered_at").map(UtcTimestamp::parse)),
                json.optionalText("failed_at").map(UtcTimestamp::parse),
                json.optionalText(ATTEMPT).orElse(""));
    }

    /** The document. */
    public byte[] bytes() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("event_id", state.eventId());
        fields.put("handler_id", state.handlerId());
        fields.put("session_id", state.sessionId());
        fields.put("claimed_at", UtcTimestamp.format(state.claimedAt()));
        fields.put("lease_until", UtcTimestamp.format(state.leaseUntil()));
        fields.put("ack_at", state.ackAt().map(UtcTimestamp::format).orElse(null));
        fields.put("attempts", state.attempts());
        fields.put("available_at", UtcTimestamp.format(state.availableAt()));
        fields.put("last_error", state.lastError().orElse(null));
        fields.put(
                "dead_lettered_at",
                state.deadLetteredAt().map(UtcTimestamp::format).orElse(null));
        failedAt.ifPresent(at -> fields.put("failed_at", UtcTimestamp.format(at)));
        fields.put(ATTEMPT, attemptId);
        return Sealed.replaceable(fields, ATTEMPT);
    }
}
