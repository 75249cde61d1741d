package io.ontologia.store.object.internal;

import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.BreakOutcome;
import io.ontologia.objectstore.LeaseHolder;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ReleaseStyle;
import io.ontologia.store.object.internal.layout.Keys;
import java.time.Duration;
import java.util.Optional;

/** The write lock as an object. */
final class ObjectLocks implements Locks {
    private final SharedStore shared;
    private final StorageOptions options;
    private final Runnable makeWay;

    /**
     * @param makeWay gives back the lock when commits of this process keep it
     */
    ObjectLocks(SharedStore shared, StorageOptions options, Runnable makeWay) {
        this.shared = shared;
        this.options = options;
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
            LockHolder hold = holder(acquired.lease().holder());
            shared.heldLocks().add(hold);
            return hold;
        }
        throw Locks.held("take the write lock", holder(((AcquireOutcome.Held) outcome).holder()), timeout);
    }

    @Override
    public Optional<LockHolder> renew(LockHolder hold) {
        Optional<LockHolder> renewed =
                lock(Duration.ZERO).renew(hold.ownerId(), hold.acquiredAt()).map(ObjectLocks::holder);
        if (renewed.isEmpty()) {
            forget(hold);
        }
        return renewed;
    }

    @Override
    public boolean release(LockHolder hold) {
        boolean released = lock(Duration.ZERO).release(hold.ownerId(), hold.acquiredAt());
        // Not before: when the process ends meanwhile, what is still noted is released.
        forget(hold);
        return released;
    }

    private void forget(LockHolder hold) {
        shared.heldLocks().remove(hold);
    }

    @Override
    public boolean breakHold(LockHolder hold) {
        return lock(Duration.ZERO).breakLock(hold.ownerId(), hold.acquiredAt()) instanceof BreakOutcome.Broken;
    }

    @Override
    public Optional<LockDamage> damage() {
        return lock(Duration.ZERO)
                .damage()
                .map(found -> new LockDamage(found.key(), found.reason(), found.breakToken()));
    }

    @Override
    public boolean replaceDamaged(LockDamage damage) {
        return lock(Duration.ZERO).breakDamaged(damage.breakToken());
    }

    private LeaseLock lock(Duration timeout) {
        return new LeaseLock(
                shared.store(),
                Keys.LOCK,
                options.clock(),
                options.random(),
                new LeaseOptions(options.leaseTtl(), timeout, ReleaseStyle.EXPIRE),
                shared.headFence());
    }

    static LockHolder holder(LeaseHolder lease) {
        return new LockHolder(lease.ownerId(), lease.acquiredAt(), lease.expiresAt());
    }
}
