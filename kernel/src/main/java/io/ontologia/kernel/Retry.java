package io.ontologia.kernel;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Bounded retry with exponential backoff and full jitter: after the n-th failure it waits a random time between zero
 * and {@code min(maxDelay, firstDelay * 2^(n-1))}. It never starts a wait that would end after the deadline. Safe for
 * use by many threads when the random generator is.
 */
public final class Retry {
    private final RetryPolicy policy;
    private final Clock clock;
    private final RandomGenerator random;

    public Retry(RetryPolicy policy, Clock clock, RandomGenerator random) {
        this.policy = policy;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Runs the work until it returns, fails in a way that is not worth repeating, or the policy is used up.
     *
     * @param worthRepeating whether an error may be cured by trying again
     * @return what the work returned
     * @throws RuntimeException the last error of the work, with earlier ones suppressed inside it
     */
    public <T> T call(Supplier<T> work, Predicate<? super RuntimeException> worthRepeating) {
        Attempts attempts = start();
        RuntimeException previous = null;
        while (true) {
            try {
                return work.get();
            } catch (RuntimeException e) {
                if (previous != null && previous != e) {
                    e.addSuppressed(previous);
                }
                if (!worthRepeating.test(e) || !attempts.waitForNext()) {
                    throw e;
                }
                previous = e;
            }
        }
    }

    /** Starts counting attempts for callers whose outcomes are values and not exceptions. */
    public Attempts start() {
        return new Attempts();
    }

    /** The attempts of one piece of work; the first is already under way. Used by one thread. */
    public final class Attempts {
        private final long startedAt = clock.monotonicNanos();
        private int made = 1;

        private Attempts() {}

        /** How many attempts were started so far. */
        public int made() {
            return made;
        }

        /**
         * Waits before the next attempt.
         *
         * @return false, without waiting, when attempts or time are used up
         */
        public boolean waitForNext() {
            if (made >= policy.maxAttempts()) {
                return false;
            }
            long bound = policy.delayBoundAfter(made).toNanos();
            long wait = bound == 0 ? 0 : random.nextLong(bound + 1);
            long elapsed = clock.monotonicNanos() - startedAt;
            if (elapsed + wait > policy.deadline().toNanos()) {
                return false;
            }
            clock.sleep(Duration.ofNanos(wait));
            made++;
            return true;
        }
    }
}
