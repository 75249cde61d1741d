package io.ontologia.core;

import java.time.Instant;
import java.util.Collection;
import java.util.Locale;

/** How far an event is, over all its handlers. */
public enum EventStatus {
    /** No handler has it. */
    PENDING,
    /** A handler has a live claim on it. */
    CLAIMED,
    /** A handler acknowledged it. */
    ACKED,
    /** A handler gave up on it. */
    DEAD_LETTERED;

    /** The status as it is printed, for example {@code dead_lettered}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The status that claims add up to: a dead letter beats an acknowledgement, which beats a live claim. */
    public static EventStatus of(Collection<ClaimState> claims, Instant now) {
        EventStatus status = PENDING;
        for (ClaimState claim : claims) {
            EventStatus one = claim.deadLetteredAt().isPresent()
                    ? DEAD_LETTERED
                    : claim.ackAt().isPresent() ? ACKED : claim.leaseUntil().isAfter(now) ? CLAIMED : PENDING;
            status = one.compareTo(status) > 0 ? one : status;
        }
        return status;
    }
}
