package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Map;

/**
 * How the event bus and its workers behave. The names of the configuration table are in the parameters.
 *
 * @param pollInterval {@code event_poll_interval_ms}: how long an idle worker waits before it looks again
 * @param claimLimit {@code event_claim_limit}: how many events are claimed at once for a handler
 * @param claimLease {@code event_claim_lease_ms}: how long a claim lives without being renewed
 * @param maxAttempts {@code event_max_attempts}: how many failures make a dead letter
 * @param backoffBase {@code event_backoff_base_ms}: doubled with every failure
 * @param backoffMax {@code event_backoff_max_ms}: the longest pause between attempts, before jitter
 * @param heartbeatInterval {@code session_heartbeat_interval_ms}
 * @param sessionTtl {@code session_ttl_ms}: a session not heard of for longer is dead
 * @param maxChainDepth {@code max_event_chain_depth}: how long a chain of events may get
 * @param maxEventsPerIteration {@code max_events_per_iteration}: how many events a worker takes on in one round
 */
public record EventOptions(
        Duration pollInterval,
        int claimLimit,
        Duration claimLease,
        int maxAttempts,
        Duration backoffBase,
        Duration backoffMax,
        Duration heartbeatInterval,
        Duration sessionTtl,
        int maxChainDepth,
        int maxEventsPerIteration) {

    /** @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when one is not positive */
    public EventOptions {
        requirePositive("event_poll_interval_ms", pollInterval.toMillis());
        requirePositive("event_claim_limit", claimLimit);
        requirePositive("event_claim_lease_ms", claimLease.toMillis());
        requirePositive("event_max_attempts", maxAttempts);
        requirePositive("event_backoff_base_ms", backoffBase.toMillis());
        requirePositive("event_backoff_max_ms", backoffMax.toMillis());
        requirePositive("session_heartbeat_interval_ms", heartbeatInterval.toMillis());
        requirePositive("session_ttl_ms", sessionTtl.toMillis());
        requirePositive("max_event_chain_depth", maxChainDepth);
        requirePositive("max_events_per_iteration", maxEventsPerIteration);
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw invalid(name, "it is " + value);
        }
    }

    private static OntologiaException invalid(String name, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid " + name, cause, "give a whole number, 1 or more");
    }

    /** What the specification says. */
    public static EventOptions defaults() {
        return of(Map.of());
    }

    /**
     * The options of a configuration, by the names of its table; defaults for those that it does not hold. Other names are
     * ignored.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when one is no positive whole number
     */
    public static EventOptions of(Map<String, String> settings) {
        return new EventOptions(
                Duration.ofMillis(number(settings, "event_poll_interval_ms", 1000)),
                number(settings, "event_claim_limit", 100),
                Duration.ofMillis(number(settings, "event_claim_lease_ms", 30_000)),
                number(settings, "event_max_attempts", 10),
                Duration.ofMillis(number(settings, "event_backoff_base_ms", 250)),
                Duration.ofMillis(number(settings, "event_backoff_max_ms", 30_000)),
                Duration.ofMillis(number(settings, "session_heartbeat_interval_ms", 5000)),
                Duration.ofMillis(number(settings, "session_ttl_ms", 60_000)),
                number(settings, "max_event_chain_depth", 20),
                number(settings, "max_events_per_iteration", 1000));
    }

    private static int number(Map<String, String> settings, String name, int otherwise) {
        String text = settings.get(name);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw invalid(name, "'" + text + "' is not a whole number");
        }
    }

    /** The pause after so many failures, before jitter: {@code min(base * 2^attempts, max)}. */
    public Duration backoff(long attempts) {
        // Past 2^40 the maximum is certain, and a shift further would overflow.
        long factor = 1L << Math.min(attempts, 40);
        return factor > backoffMax.toMillis() / backoffBase.toMillis()
                ? min(backoffMax, backoffBase.multipliedBy(Math.min(factor, 1L << 31)))
                : backoffBase.multipliedBy(factor);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
