package io.ontologia.core;

import java.time.Instant;
import java.util.List;

/**
 * An event and how far each handler is with it.
 *
 * @param claims by handler id
 */
public record EventInspection(Event event, List<ClaimState> claims) {
    public EventInspection {
        claims = List.copyOf(claims);
    }

    /** How far the event is, over all handlers. */
    public EventStatus status(Instant now) {
        return EventStatus.of(claims, now);
    }
}
