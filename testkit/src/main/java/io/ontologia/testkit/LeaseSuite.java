package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.objectstore.LeaseHolder;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ReleaseStyle;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What the suites for leases share: one lock, and a clock that the test sets. A backend extends {@link LeaseContract} and
 * {@link LeaseInterchangeContract}.
 */
public abstract class LeaseSuite extends ObjectStoreSuite {
    /** How long the leases of these suites last. */
    protected static final Duration TTL = Duration.ofSeconds(30);

    /** When every test begins. */
    protected static final Instant START = SettableClock.START;

    /** The time of everybody in the test. */
    protected final SettableClock clock = new SettableClock();

    private final SecureRandom random = new SecureRandom();

    /** Where the lock lives. */
    protected final String lockKey() {
        return key("locks/write.json");
    }

    /** Leases of {@link #TTL}, half a second of waiting, and the release that the store supports best. */
    protected final LeaseOptions options() {
        return new LeaseOptions(TTL, Duration.ofMillis(500), supported(ReleaseStyle.EXPIRE_AND_DELETE));
    }

    /** The given way to release, or the one that every store supports. */
    protected final ReleaseStyle supported(ReleaseStyle style) {
        return enforcesConditionalDelete() ? style : ReleaseStyle.EXPIRE;
    }

    /** The lock, as one of its users opens it. */
    protected final LeaseLock lock() {
        return lock(options());
    }

    /** The lock with other options. */
    protected final LeaseLock lock(LeaseOptions options) {
        return new LeaseLock(store(), lockKey(), clock, random, options);
    }

    /** Takes the lock, which must succeed. */
    protected final Lease acquire(String ownerId) {
        return leaseOf(lock().acquire(ownerId));
    }

    /** Tries to take the lock without waiting. */
    protected final AcquireOutcome tryOnce(String ownerId) {
        return lock(options().acquireTimeout(Duration.ZERO)).acquire(ownerId);
    }

    /** The lease of an outcome that must be {@link AcquireOutcome.Acquired}. */
    protected static Lease leaseOf(AcquireOutcome outcome) {
        assertThat(outcome).isInstanceOf(AcquireOutcome.Acquired.class);
        return ((AcquireOutcome.Acquired) outcome).lease();
    }

    /** The holder of an outcome that must be {@link AcquireOutcome.Held}. */
    protected static LeaseHolder holderOf(AcquireOutcome outcome) {
        assertThat(outcome).isInstanceOf(AcquireOutcome.Held.class);
        return ((AcquireOutcome.Held) outcome).holder();
    }

    /** The leases among some outcomes. */
    protected static List<Lease> leases(List<AcquireOutcome> outcomes) {
        return outcomes.stream()
                .filter(AcquireOutcome.Acquired.class::isInstance)
                .map(LeaseSuite::leaseOf)
                .toList();
    }

    /** When the lock expires, as it is stored. */
    protected final Instant expiry() {
        return lock().inspect().orElseThrow().expiresAt();
    }

    /** Checks that a lease does not pass for safe. */
    protected static void assertUnsafe(Lease lease) {
        assertThatThrownBy(lease::ensureSafe).isInstanceOf(LeaseExpiredException.class);
    }
}
