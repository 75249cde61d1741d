package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * One operation of the store: sends its requests, repeats those that failed for a passing reason, and watches the time
 * that it may take in all. Used by one thread.
 *
 * <p>Each request has a time limit of its own. The last attempt starts early enough to end in time, and after a lost reply
 * there is time left to read what became of it, where the limit of the operation is that of several requests.
 */
final class S3Operation {
    private static final int MAX_ATTEMPTS = 8;
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration MAX_DELAY = Duration.ofSeconds(2);
    private static final Duration SHORTEST_REQUEST = Duration.ofMillis(50);
    /** What bodies are given on top: one second for each of these. */
    private static final long BYTES_PER_SECOND = 1 << 20;

    /** A request, to be answered within the given time. */
    @FunctionalInterface
    interface Request<T> {
        T send(Duration limit) throws IOException;
    }

    /** How all operations of a store are carried out. */
    record Rules(S3Errors errors, Clock clock, RandomGenerator random, Duration requestTime, Duration timeout) {}

    private final Rules rules;
    private final String problem;
    private final long startedAt;
    private final Retry.Attempts attempts;
    private Duration forBodies;

    /**
     * @param problem what to say when it fails
     * @param bytes how much it sends
     */
    S3Operation(Rules rules, String problem, long bytes) {
        this.rules = rules;
        this.problem = problem;
        this.startedAt = rules.clock().monotonicNanos();
        this.forBodies = timeFor(bytes);
        this.attempts = startingWithin(timeout(1)).start();
    }

    /** The time for attempts when so many requests must fit in after them, and never less than a quarter of all. */
    private Duration timeout(int requests) {
        Duration left = rules.timeout().minus(rules.requestTime().multipliedBy(requests));
        Duration least = rules.timeout().dividedBy(4);
        return left.compareTo(least) < 0 ? least : left;
    }

    /**
     * Sends a request that changes nothing.
     *
     * @param expected turns a failure that is an answer into one
     */
    <T> T read(Request<T> request, Function<S3Fault, Optional<T>> expected) {
        while (true) {
            try {
                return send(request);
            } catch (S3Fault fault) {
                Optional<T> answer = expected.apply(fault);
                if (answer.isPresent()) {
                    return answer.get();
                }
                if (!fault.meaning().passing() || !waitForNext()) {
                    throw nothingDone(fault);
                }
            }
        }
    }

    /** Sends a request whose effect is the same however often it is carried out. */
    <T> T write(Request<T> request) {
        boolean maybeDone = false;
        while (true) {
            try {
                return send(request);
            } catch (S3Fault fault) {
                maybeDone |= fault.meaning().maybeDone();
                if (!fault.meaning().passing() || !waitForNext()) {
                    throw maybeDone ? maybeDone(fault) : nothingDone(fault);
                }
            }
        }
    }

    /** Sends a request once. */
    <T> T send(Request<T> request) {
        try {
            return request.send(limit());
        } catch (SdkException | IOException | IllegalStateException e) {
            throw S3Fault.of(e);
        }
    }

    /**
     * Waits before another attempt.
     *
     * @return false, without waiting, when attempts or time are used up
     */
    boolean waitForNext() {
        return attempts.waitForNext();
    }

    /** How to repeat a conditional request, so that there is time left to read back what became of it. */
    Retry leavingTimeToReadBack() {
        return startingWithin(timeout(2));
    }

    /** The error for a fault that certainly changed nothing. */
    OntologiaException nothingDone(S3Fault fault) {
        return rules.errors().of(problem, fault);
    }

    /** The error for a fault that may have changed something. */
    OntologiaException maybeDone(S3Fault fault) {
        return rules.errors().unknown(problem, fault);
    }

    /** Allows the time for a body of the given length. */
    void expectBody(long bytes) {
        forBodies = timeFor(bytes);
    }

    /** Stops a transfer that takes too long. */
    void requireTime() throws IOException {
        if (remaining().isNegative()) {
            throw new IOException("the time for the operation is over");
        }
    }

    /** The time by this machine's clock. */
    Instant now() {
        return rules.clock().now();
    }

    private Retry startingWithin(Duration time) {
        Duration firstDelay = FIRST_DELAY.compareTo(time) < 0 ? FIRST_DELAY : time;
        return new Retry(
                new RetryPolicy(MAX_ATTEMPTS, firstDelay, MAX_DELAY, time.plus(forBodies)),
                rules.clock(),
                rules.random());
    }

    private Duration limit() {
        Duration share = rules.requestTime().plus(forBodies);
        Duration remaining = remaining();
        Duration limit = remaining.compareTo(share) < 0 ? remaining : share;
        return limit.compareTo(SHORTEST_REQUEST) < 0 ? SHORTEST_REQUEST : limit;
    }

    private Duration remaining() {
        return rules.timeout().plus(forBodies).minusNanos(rules.clock().monotonicNanos() - startedAt);
    }

    private static Duration timeFor(long bytes) {
        return Duration.ofSeconds(bytes / BYTES_PER_SECOND);
    }
}
