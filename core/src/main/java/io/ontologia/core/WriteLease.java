package io.ontologia.core;

import io.ontologia.core.spi.Locks;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Optional;

/**
 * The write lock, held. It stays ours until it is closed, or until its time is over and somebody else took it, or until an
 * operator broke it; {@link LockKeeper} renews it in time. All methods may be called from many threads.
 */
public final class WriteLease implements AutoCloseable {
    private final Locks locks;
    private final Clock clock;
    private final Duration ttl;
    private final LeasesInUse leases;
    private LockHolder hold;
    private long renewedAt;
    private boolean over;

    WriteLease(Locks locks, Clock clock, Duration ttl, LockHolder hold, LeasesInUse leases) {
        this.locks = locks;
        this.clock = clock;
        this.ttl = ttl;
        this.hold = hold;
        this.leases = leases;
        this.renewedAt = clock.monotonicNanos();
    }

    /** What the store says about this hold, as of the last renewal. */
    public synchronized LockHolder holder() {
        return hold;
    }

    /** Whether it was neither closed nor found lost. */
    public synchronized boolean isHeld() {
        return !over;
    }

    /**
     * Extends the lease to its full time from now.
     *
     * @return false when it is lost or closed
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when the store is too busy to say; the lease may still be
     *     held, and another call may succeed
     */
    public synchronized boolean renew() {
        if (over) {
            return false;
        }
        long now = clock.monotonicNanos();
        Optional<LockHolder> renewed = locks.renew(hold);
        if (renewed.isPresent()) {
            hold = renewed.get();
            renewedAt = now;
        } else {
            over = true;
        }
        return !over;
    }

    /** How long until a third of the lease time has passed since the last renewal; empty when it is lost or closed. */
    public synchronized Optional<Duration> untilRenewal() {
        if (over) {
            return Optional.empty();
        }
        Duration left = ttl.dividedBy(3).minusNanos(clock.monotonicNanos() - renewedAt);
        return Optional.of(left.isNegative() ? Duration.ZERO : left);
    }

    /** How soon a renewal that could not be decided is worth another try. */
    Duration untilRetry() {
        return ttl.dividedBy(10);
    }

    /** Gives the lock back if it is still ours; where the store cannot be reached, it runs out. Idempotent. */
    @Override
    public synchronized void close() {
        leases.remove(this);
        if (over) {
            return;
        }
        over = true;
        try {
            locks.release(hold);
        } catch (OntologiaException e) {
            // What was done under the lock is done, and must not look as if it had failed.
            if (e.kind() != ErrorKind.BUSY && e.kind() != ErrorKind.UNAVAILABLE) {
                throw e;
            }
        }
    }
}
