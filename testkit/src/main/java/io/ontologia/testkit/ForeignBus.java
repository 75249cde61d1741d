package io.ontologia.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The event bus of a storage specification, implemented from the specification alone. */
public interface ForeignBus {
    /** The specification's default for {@code event_claim_lease_ms}. */
    Duration LEASE = Duration.ofSeconds(30);

    /** How often a handler may fail with an event in these tests. */
    int MAX_ATTEMPTS = 2;

    /** Enqueues an event. */
    void enqueue(String namespace, String id, String type) throws Exception;

    /** Claims the first event of a type that a handler may claim, and returns its id. */
    Optional<String> claim(String namespace, String handlerId, String type) throws Exception;

    /** Acknowledges a claim. */
    void ack(String namespace, String handlerId, String eventId) throws Exception;

    /** Records a failure; the last of {@link #MAX_ATTEMPTS} makes a dead letter and an event. */
    void release(String namespace, String handlerId, String eventId, String error) throws Exception;

    /** Registers a session. */
    void register(String namespace, String sessionId, Map<String, ?> metadata) throws Exception;

    /** Refreshes the heartbeat of a session that is registered. */
    void heartbeat(String namespace, String sessionId) throws Exception;

    /** Removes events created before a moment, and their claims. */
    void cleanup(String namespace, Instant before) throws Exception;

    /** The id, type and status of every event, joined by blanks, in the order in which they are claimed. */
    List<String> events(String namespace) throws Exception;

    /** The handler, session, attempts and last error of every claim of an event, joined by blanks. */
    List<String> claims(String namespace, String eventId) throws Exception;

    /** The event, handler, attempts and error of every dead letter, joined by blanks, newest first. */
    List<String> deadLetters(String namespace) throws Exception;

    /** The id, start, last heartbeat and metadata of every session, joined by blanks, by id. */
    List<String> sessions(String namespace) throws Exception;

    /** The pause before the next attempt, without jitter. */
    static Duration backoff(long attempts) {
        return Duration.ofMillis(Math.min(250 * (1L << attempts), 30_000));
    }
}
