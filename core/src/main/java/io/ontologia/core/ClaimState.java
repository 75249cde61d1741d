package io.ontologia.core;

import java.time.Instant;
import java.util.Optional;

/**
 * How far one handler is with an event.
 *
 * @param sessionId who claimed it last
 * @param leaseUntil when others may take it over
 * @param ackAt when it was acknowledged
 * @param attempts how often the handler failed
 * @param availableAt no new claim before this moment
 * @param lastError what the last failure said; a new claim clears it
 * @param deadLetteredAt when the handler gave up on it
 */
public record ClaimState(
        String eventId,
        String handlerId,
        String sessionId,
        Instant claimedAt,
        Instant leaseUntil,
        Optional<Instant> ackAt,
        long attempts,
        Instant availableAt,
        Optional<String> lastError,
        Optional<Instant> deadLetteredAt) {

    /** Whether nothing can happen to it any more. */
    public boolean isFinal() {
        return ackAt.isPresent() || deadLetteredAt.isPresent();
    }

    /** Whether somebody may claim the event for this handler now. */
    public boolean isClaimable(Instant now) {
        return !isFinal() && !leaseUntil.isAfter(now) && !availableAt.isAfter(now);
    }
}
