package io.ontologia.store.object.internal;

import io.ontologia.core.LeaseLostException;
import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.objectstore.LeaseHolder;
import io.ontologia.objectstore.LeaseKeeper;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ReleaseStyle;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The write lock as commits of this process use it: taken when the first one needs it, and kept while they follow each other.
 * It is given back soon after another writer asked for it, when no commit came for a while, and after a time in any case,
 * because writers of other implementations cannot ask. After another writer was seen it is kept for shorter times.
 *
 * <p>Used under the writer's own lock, one thread at a time; only the keeper's thread comes from elsewhere.
 */
final class WriterLease implements AutoCloseable {
    private static final Duration IDLE = Duration.ofSeconds(3);
    private static final Duration IDLE_AMONG_OTHERS = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(4);
    private static final Duration LONGEST_AMONG_OTHERS = Duration.ofSeconds(2);

    /** For how long after another writer was seen others are expected to come again. */
    private static final Duration AMONG_OTHERS = Duration.ofMinutes(1);

    private static final Duration ASK_EVERY = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofMillis(500);
    private static final Duration COURTESY = Duration.ofMillis(40);

    private final ObjectStore store;
    private final Clock clock;
    private final RandomGenerator random;
    private final Duration ttl;
    private final boolean keeps;
    private @Nullable Held held;
    private LeaseLock.@Nullable Look seen;
    private OptionalLong othersSeenAt = OptionalLong.empty();
    private long lastToken;

    WriterLease(ObjectStore store, StorageOptions options, Threads threads) {
        this.store = store;
        this.clock = options.clock();
        this.random = options.random();
        this.ttl = options.leaseTtl();
        this.keeps = threads.keepsLeases();
    }

    /** A hold of the lock, as a commit uses it. */
    interface Guard {
        /**
         * Makes sure that the lock is ours after a head was read, and that the hold's token passes the fence of that head. A
         * takeover or a break that comes later rewrites the head first, so a swap of the version that was read then fails.
         *
         * @throws LeaseExpiredException when the lock is no longer ours, and may be acquired again
         * @throws LeaseLostException when the commit carries a lease that was lost
         */
        void confirm(Head head);

        /**
         * Returns if and only if the lock is ours for long enough.
         *
         * @throws LeaseExpiredException when it may no longer be
         */
        void ensureSafe();

        /** The token under which the head is swapped; to be asked after {@link #confirm}. */
        long token();

        /** Whether every commit of this process may pass, and not only those of the lock's owner. */
        boolean coversEverybody();
    }

    private static final class Held implements Guard {
        final Lease lease;
        final LeaseKeeper renewal;
        final long since;
        long askedAt;
        volatile boolean wanted;

        /** Since when nobody needs it; empty while somebody does, however long that takes. */
        OptionalLong restingSince = OptionalLong.empty();

        @Nullable BackgroundRunner keeper;

        Held(Lease lease, long now) {
            this.lease = lease;
            this.renewal = new LeaseKeeper(lease);
            this.since = now;
            this.askedAt = now;
        }

        @Override
        public void confirm(Head head) {
            if (!lease.raiseTo(head.fence())) {
                throw new LeaseExpiredException(Keys.LOCK, "another writer took the lock, or it was broken");
            }
        }

        @Override
        public void ensureSafe() {
            lease.ensureSafe();
        }

        @Override
        public long token() {
            return lease.token();
        }

        @Override
        public boolean coversEverybody() {
            return true;
        }
    }

    /** The guard of commits under a hold that was acquired by {@link ObjectLocks}. */
    private final class OfHold implements Guard {
        private final LockHolder hold;
        private final boolean isCarried;
        private long token;

        /** @param isCarried whether the commit was promised to be made under this hold, and no other */
        OfHold(LockHolder hold, boolean isCarried) {
            this.hold = hold;
            this.isCarried = isCarried;
        }

        @Override
        public void confirm(Head head) {
            LeaseLock lock = lock(Duration.ZERO);
            token = lock.confirm(hold.ownerId(), hold.acquiredAt(), Math.max(1, head.fence()))
                    .orElseThrow(() -> isCarried
                            ? new LeaseLostException(hold, lock.inspect().map(ObjectLocks::holder))
                            : new LeaseExpiredException(Keys.LOCK, "its owner lost it"))
                    .token();
        }

        @Override
        public void ensureSafe() {
            // Once it is confirmed, the fence of the head decides.
            if (token == 0) {
                confirm(Head.empty(clock.now(), hold.ownerId()));
            }
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean coversEverybody() {
            return false;
        }
    }

    /** The guard of commits that carry a hold which was acquired by {@link ObjectLocks}. */
    Guard under(LockHolder carried) {
        return new OfHold(carried, true);
    }

    /** Whether the lock has been ours since the last commit, so that nobody who respects it can have made one. */
    synchronized boolean isKept() {
        return held != null && isSafe(held.lease);
    }

    /**
     * Makes sure that this process may commit, until {@link #rest}.
     *
     * @throws io.ontologia.kernel.OntologiaException of kind {@code BUSY} when somebody else holds the lock for longer
     *     than the timeout
     */
    Guard hold(String runtimeId, Duration timeout) {
        synchronized (this) {
            if (held != null && isSafe(held.lease)) {
                long now = clock.monotonicNanos();
                if (!held.wanted && now - held.since < longest().toNanos()) {
                    held.restingSince = OptionalLong.empty();
                    return held;
                }
            }
        }
        if (giveBack()) {
            clock.sleep(COURTESY);
        }
        Optional<AcquireOutcome> quick = firstTry(runtimeId);
        if (quick.isPresent()
                && quick.get() instanceof AcquireOutcome.Held other
                && other.holder().ownerId().equals(runtimeId)
                && !other.holder().hasExpired(clock.now())) {
            // A long hold of the runtime that wants to commit lets its commits pass.
            return new OfHold(ObjectLocks.holder(other.holder()), false);
        }
        if (quick.filter(AcquireOutcome.Acquired.class::isInstance).isEmpty()) {
            noteOthers();
        }
        AcquireOutcome outcome = quick.filter(AcquireOutcome.Acquired.class::isInstance)
                .orElseGet(() -> lock(timeout).acquire(runtimeId));
        if (outcome instanceof AcquireOutcome.Acquired acquired) {
            return keep(acquired.lease());
        }
        LeaseHolder holder = ((AcquireOutcome.Held) outcome).holder();
        throw Locks.held("write", new LockHolder(holder.ownerId(), holder.acquiredAt(), holder.expiresAt()), timeout);
    }

    /** Looks at the lock in good time, so that the first commit need not. */
    void look() {
        LeaseLock.Look now = lock(Duration.ZERO).look();
        synchronized (this) {
            seen = now;
        }
    }

    /** Tries without waiting; empty when others came and went so fast that nobody was seen to hold it. */
    private Optional<AcquireOutcome> firstTry(String runtimeId) {
        LeaseLock.Look before;
        synchronized (this) {
            before = seen;
            seen = null;
        }
        LeaseLock lock = lock(Duration.ZERO);
        try {
            return Optional.of(before == null ? lock.acquire(runtimeId) : lock.acquire(runtimeId, before));
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.BUSY) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean isSafe(Lease lease) {
        try {
            lease.ensureSafe();
            return true;
        } catch (LeaseExpiredException e) {
            return false;
        }
    }

    private synchronized Held keep(Lease lease) {
        if (lastToken > 0 && lease.token() != lastToken + 1) {
            noteOthers();
        }
        lastToken = lease.token();
        Held now = new Held(lease, clock.monotonicNanos());
        held = now;
        if (keeps) {
            now.keeper = BackgroundRunner.start("ontologia-writer-lease", () -> step(now), failure -> {});
        }
        return now;
    }

    /** Says that what the lock was held for is done. It is kept for a moment, for what may follow. */
    synchronized void rest() {
        if (held != null) {
            held.restingSince = OptionalLong.of(clock.monotonicNanos());
        }
    }

    /** Renews the lock, or gives it back when nobody has needed it for a while. What its keeper does again and again. */
    Optional<Duration> step() {
        Held kept;
        synchronized (this) {
            kept = held;
        }
        return kept == null ? Optional.empty() : step(kept);
    }

    private Optional<Duration> step(Held kept) {
        if (isToBeAsked(kept) && isWanted(kept)) {
            noteOthers();
        }
        synchronized (this) {
            if (held != kept) {
                return Optional.empty();
            }
            long now = clock.monotonicNanos();
            boolean rests = kept.restingSince.isPresent();
            if (rests
                    && (kept.wanted
                            || now - kept.restingSince.getAsLong() >= idle().toNanos()
                            || now - kept.since >= longest().toNanos())) {
                held = null;
                release(kept);
                return Optional.empty();
            }
            return kept.renewal.step().map(wait -> wait.compareTo(STEP) > 0 ? STEP : wait);
        }
    }

    private synchronized boolean isToBeAsked(Held kept) {
        long now = clock.monotonicNanos();
        boolean due = held == kept && kept.restingSince.isPresent() && now - kept.askedAt >= ASK_EVERY.toNanos();
        if (due) {
            kept.askedAt = now;
        }
        return due;
    }

    private static boolean isWanted(Held kept) {
        try {
            kept.wanted = kept.lease.isWanted();
        } catch (OntologiaException e) {
            // Asked again in a second, or found out by the next renewal.
        }
        return kept.wanted;
    }

    private void release(Held former) {
        former.lease.release();
        synchronized (this) {
            seen = former.lease.leftBehind();
        }
    }

    private synchronized void noteOthers() {
        othersSeenAt = OptionalLong.of(clock.monotonicNanos());
    }

    private synchronized boolean isAmongOthers() {
        return othersSeenAt.isPresent() && clock.monotonicNanos() - othersSeenAt.getAsLong() < AMONG_OTHERS.toNanos();
    }

    private Duration idle() {
        return isAmongOthers() ? IDLE_AMONG_OTHERS : IDLE;
    }

    private Duration longest() {
        return isAmongOthers() ? LONGEST_AMONG_OTHERS : LONGEST;
    }

    private LeaseLock lock(Duration timeout) {
        return new LeaseLock(
                        store,
                        Keys.LOCK,
                        clock,
                        random,
                        new LeaseOptions(ttl, timeout, ReleaseStyle.EXPIRE),
                        new HeadFence(store, random))
                .yielding();
    }

    /**
     * Gives the lock back, if this process has it.
     *
     * @return whether it had
     */
    boolean giveBack() {
        Held former;
        synchronized (this) {
            former = held;
            held = null;
        }
        if (former == null) {
            return false;
        }
        release(former);
        if (former.keeper != null) {
            former.keeper.close();
        }
        return true;
    }

    /** Forgets the lock without giving it back, so that it is free only when it expires. */
    void abandon() {
        Held former;
        synchronized (this) {
            former = held;
            held = null;
        }
        if (former != null && former.keeper != null) {
            former.keeper.close();
        }
    }

    @Override
    public void close() {
        giveBack();
    }
}
