package io.ontologia.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker on the event bus.
 *
 * @param startedAt when it registered for the first time
 * @param lastHeartbeat when it was last heard of
 * @param metadata what it said about itself, a JSON object
 */
public record EventSession(
        String sessionId,
        String namespace,
        Instant startedAt,
        Instant lastHeartbeat,
        Map<String, @Nullable Object> metadata) {
    public EventSession {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** Whether it was not heard of for longer than the given time. */
    public boolean isDead(Instant now, Duration ttl) {
        return Duration.between(lastHeartbeat, now).compareTo(ttl) > 0;
    }
}
