package io.ontologia.store.object.internal;

import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.BreakOutcome;
import io.ontologia.objectstore.LeaseHolder;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ReleaseStyle;
import io.ontologia.store.object.internal.layout.Keys;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The write lock as an object. */
final class ObjectLocks implements Locks {
    private final ObjectStore store;
    private final Clock clock;
    private final RandomGenerator random;
    private final Duration ttl;
    private final Runnable makeWay;

    /**
     * @param makeWay gives back the lock when commits of this process keep it
     */
    ObjectLocks(ObjectStore store, Clock clock, RandomGenerator random, Duration ttl, Runnable makeWay) {
        this.store = store;
        this.clock = clock;
        this.random = random;
        this.ttl = ttl;
        this.makeWay = makeWay;
    }

    @Override
    public Optional<LockHolder> holder() {
        return lock(Duration.ZERO).inspect().map(ObjectLocks::holder);
    }

    @Override
    public LockHolder acquire(String ownerId, Duration timeout) {
        makeWay.run();
        AcquireOutcome outcome = lock(timeout).acquire(ownerId);
        if (outcome instanceof AcquireOutcome.Acquired acquired) {
            return holder(acquired.lease().holder());
        }
        throw Locks.held("take the write lock", holder(((AcquireOutcome.Held) outcome).holder()), timeout);
    }

    @Override
    public Optional<LockHolder> renew(LockHolder hold) {
        return lock(Duration.ZERO).renew(hold.ownerId(), hold.acquiredAt()).map(ObjectLocks::holder);
    }

    @Override
    public boolean release(LockHolder hold) {
        return lock(Duration.ZERO).release(hold.ownerId(), hold.acquiredAt());
    }

    @Override
    public boolean breakHold(LockHolder hold) {
        return lock(Duration.ZERO).breakLock(hold.ownerId(), hold.acquiredAt()) instanceof BreakOutcome.Broken;
    }

    private LeaseLock lock(Duration timeout) {
        return new LeaseLock(
                store,
                Keys.LOCK,
                clock,
                random,
                new LeaseOptions(ttl, timeout, ReleaseStyle.EXPIRE),
                new HeadFence(store, random));
    }

    static LockHolder holder(LeaseHolder lease) {
        return new LockHolder(lease.ownerId(), lease.acquiredAt(), lease.expiresAt());
    }
}
