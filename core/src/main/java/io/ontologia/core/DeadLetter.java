package io.ontologia.core;

import java.time.Instant;

/**
 * An event that a handler gave up on, kept beside the event and after it.
 *
 * @param failedAt when the last attempt failed
 * @param attempts how many there were
 * @param lastError what the last one said
 * @param eventType empty where another writer left it out
 * @param payloadJson the event's payload; an empty object where another writer left it out
 * @param rootEventId the event that began the chain
 */
public record DeadLetter(
        String eventId,
        String handlerId,
        String namespace,
        Instant failedAt,
        long attempts,
        String lastError,
        String eventType,
        String payloadJson,
        String rootEventId,
        long chainDepth) {}
