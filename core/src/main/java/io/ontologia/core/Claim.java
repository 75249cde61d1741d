package io.ontologia.core;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The right of one session to handle an event with a handler until the lease runs out. It is known by its session and the
 * moment it was made; a later claim on the same event is another one.
 *
 * @param claimedAt when it was made; renewing does not change it
 * @param leaseUntil when others may take the event over, unless the claim is renewed
 * @param attempts how often the handler failed with this event before
 */
public record Claim(
        Event event, String handlerId, String sessionId, Instant claimedAt, Instant leaseUntil, long attempts) {
    public Claim {
        claimedAt = claimedAt.truncatedTo(ChronoUnit.MICROS);
        leaseUntil = leaseUntil.truncatedTo(ChronoUnit.MICROS);
    }

    /** Whether the lease still runs. */
    public boolean isLive(Instant now) {
        return leaseUntil.isAfter(now);
    }

    /** The same with another end. */
    public Claim leaseUntil(Instant other) {
        return new Claim(event, handlerId, sessionId, claimedAt, other, attempts);
    }
}
