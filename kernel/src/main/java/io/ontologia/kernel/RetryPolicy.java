package io.ontologia.kernel;

import java.time.Duration;

/**
 * How often and how long to try again.
 *
 * @param maxAttempts attempts in all, the first one included; at least 1
 * @param firstDelay upper bound of the first wait; doubles with every attempt
 * @param maxDelay upper bound of every wait
 * @param deadline time after which no further attempt starts, counted from the first one
 */
public record RetryPolicy(int maxAttempts, Duration firstDelay, Duration maxDelay, Duration deadline) {
    public RetryPolicy {
        if (maxAttempts < 1 || firstDelay.isNegative() || maxDelay.compareTo(firstDelay) < 0 || deadline.isNegative()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid retry policy",
                    "attempts must be at least 1, delays must not be negative, and maxDelay not below firstDelay",
                    "correct the policy");
        }
    }

    /** One attempt, no waiting. */
    public static RetryPolicy once() {
        return new RetryPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** The upper bound of the wait after the given failed attempt (the first is 1): exponential, capped. */
    Duration delayBoundAfter(int attempt) {
        int doublings = Math.min(attempt - 1, 40);
        long cap = maxDelay.toNanos();
        long first = firstDelay.toNanos();
        boolean beyondCap = first > (cap >> doublings);
        return Duration.ofNanos(beyondCap ? cap : first << doublings);
    }
}
