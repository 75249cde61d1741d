package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.LockCell.Seen;
import io.ontologia.objectstore.LockObject.WriteId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A lock between processes and machines: one small object, held by whoever swapped its lease in, for as long as the lease
 * lasts. Every change of it is conditional, so of two that race exactly one wins.
 *
 * <p>A lock makes it unlikely that two work at once and shows who does; it cannot make it impossible, because a holder may
 * stall after its last check. What must not go wrong has to be decided by a conditional write.
 *
 * <p>May be used by many threads at once when the random generator may.
 */
public final class LeaseLock {
    private static final long SHORTEST_WAIT = Duration.ofMillis(10).toNanos();
    private static final long LONGEST_WAIT = Duration.ofMillis(30).toNanos();
    /** To create the lock, to take it over, and to settle a lost reply. */
    private static final int TRIES_BEFORE_WAITING = 3;

    private static final int BREAK_TRIES = 5;

    /** More holds than a lock can have had since the fence was last raised: each raises the token by one. */
    private static final long UNKNOWN_TOKENS = 1_000_000_000L;

    private final LockCell cell;
    private final Clock clock;
    private final RandomGenerator random;
    private final LeaseOptions options;
    private final LeaseFence fence;
    private boolean yields;

    /** As the other constructor, for a lock that protects nothing that could refuse a former holder. */
    public LeaseLock(ObjectStore store, String key, Clock clock, RandomGenerator random, LeaseOptions options) {
        this(store, key, clock, random, options, LeaseFence.none());
    }

    /**
     * Touches nothing yet.
     *
     * @param key where the lock object lives, for example {@code meta/locks/ontology_write.json}
     * @param random must give different values in every process
     * @param fence of what the lock protects
     */
    public LeaseLock(
            ObjectStore store,
            String key,
            Clock clock,
            RandomGenerator random,
            LeaseOptions options,
            LeaseFence fence) {
        this.fence = fence;
        this.cell = new LockCell(store, key);
        this.clock = clock;
        this.random = random;
        this.options = options;
    }

    /** Marks the holds of this lock as ones that are given back soon after another writer asked for them. */
    public LeaseLock yielding() {
        yields = true;
        return this;
    }

    /**
     * Takes the lock: creates it, or takes over one that expired, or waits until either is possible or the time to wait is
     * over. Always tries at least once.
     *
     * @param ownerId the name that others see
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when the stored lock cannot be read; {@link
     *     ErrorKind#BUSY} when others came and went so fast that no holder was seen; {@link ErrorKind#UNKNOWN_OUTCOME} when
     *     replies were lost until the time was over; and whatever the store throws. After an exception nobody may hold the
     *     lock although it looks taken, until it expires.
     */
    public AcquireOutcome acquire(String ownerId) {
        return acquire(ownerId, new Look(Optional.empty()));
    }

    /** What the lock object was at one moment. Only good for {@link #acquire(String, Look)}. */
    public static final class Look {
        private final Optional<Seen> seen;

        private Look(Optional<Seen> seen) {
            this.seen = seen;
        }

        static Look of(Seen seen) {
            return new Look(Optional.of(seen));
        }
    }

    /** Reads the lock, to save {@link #acquire(String, Look)} a request later. That call fails when the lock cannot be read. */
    public Look look() {
        try {
            return new Look(cell.read());
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            return new Look(Optional.empty());
        }
    }

    /** As {@link #acquire(String)}, starting from what was seen before; when that is no longer so, nothing is lost. */
    public AcquireOutcome acquire(String ownerId, Look before) {
        if (ownerId.isBlank()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid lock owner", "its name is empty", "give the writer a name");
        }
        return new Acquisition(ownerId, before.seen).run();
    }

    /**
     * Who holds the lock, also when its lease has expired and nobody has taken over yet. Empty when the lock was never
     * taken or was released.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when the stored lock cannot be read
     */
    public Optional<LeaseHolder> inspect() {
        return cell.read().map(Seen::object).filter(lock -> !lock.isReleased()).map(LockObject::holder);
    }

    /**
     * Takes the lock away from the holder that the token belongs to. What that holder writes under the lock from then on is
     * refused by what the fence belongs to.
     *
     * @param token {@link LeaseHolder#breakToken()} of a holder that {@link #inspect()} showed
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when the lock kept changing
     */
    public BreakOutcome breakLock(String token) {
        return breakLock(holder -> holder.breakToken().equals(token));
    }

    /** As {@link #breakLock(String)}, for a hold known by its owner and its beginning. */
    public BreakOutcome breakLock(String ownerId, Instant acquiredAt) {
        return breakLock(holder ->
                holder.ownerId().equals(ownerId) && holder.acquiredAt().equals(acquiredAt));
    }

    private BreakOutcome breakLock(Predicate<LeaseHolder> isMeant) {
        String hold = RandomIds.hex(random, 16);
        Optional<LeaseHolder> former = Optional.empty();
        for (int i = 0; i < BREAK_TRIES; i++) {
            Optional<Seen> seen = cell.read();
            if (seen.isEmpty() || seen.get().object().isReleased()) {
                boolean byUs = seen.isPresent() && seen.get().object().isOf(hold) && former.isPresent();
                return byUs ? new BreakOutcome.Broken(former.get()) : new BreakOutcome.NotHeld();
            }
            LockObject lock = seen.get().object();
            if (!isMeant.test(lock.holder())) {
                return new BreakOutcome.Changed(lock.holder());
            }
            former = Optional.of(lock.holder());
            if (cell.swap(seen, lock.broken(new WriteId(hold, i), fence.raiseAbove(lock.token())))
                    instanceof PutOutcome.Written) {
                return new BreakOutcome.Broken(lock.holder());
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY, "cannot break the lock '" + cell.key() + "'", "it kept changing", "try again");
    }

    /** What is stored in the place of the lock when it cannot be read; empty when it can, or when nothing is stored. */
    public Optional<DamagedLock> damage() {
        return cell.damage().map(LockCell.Damaged::lock);
    }

    /**
     * Replaces a lock that cannot be read by a free one. The token of its holder is unknown, so the fence is raised above every
     * token that it can have: what that holder writes under the lock from then on is refused.
     *
     * @param token {@link DamagedLock#breakToken()} of what {@link #damage()} showed
     * @return false when other bytes are stored now; they were not changed
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when the lock kept changing
     */
    public boolean breakDamaged(String token) {
        String hold = RandomIds.hex(random, 16);
        for (int i = 0; i < BREAK_TRIES; i++) {
            Optional<LockCell.Damaged> found = cell.damage();
            if (found.isEmpty()) {
                // After a lost reply the lock is readable because this call replaced it.
                return cell.read().filter(seen -> seen.object().isOf(hold)).isPresent();
            }
            if (!found.get().lock().breakToken().equals(token)) {
                return false;
            }
            long present = fence.raiseAbove(-1);
            LockObject free = LockObject.replacing(new WriteId(hold, i), fence.raiseAbove(present + UNKNOWN_TOKENS));
            if (cell.replace(found.get(), free) instanceof PutOutcome.Written) {
                return true;
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY, "cannot replace the lock '" + cell.key() + "'", "it kept changing", "try again");
    }

    /**
     * Extends a hold to a full ttl from now, whoever took it: also one whose time is over, when nobody has taken the lock
     * since.
     *
     * @return the hold with its new expiry; empty when the lock is free or held by another
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when the lock kept changing
     */
    public Optional<LeaseHolder> renew(String ownerId, Instant acquiredAt) {
        return change(
                        ownerId,
                        acquiredAt,
                        lock -> lock.renewed(
                                nextWrite(lock), clock.now().truncatedTo(ChronoUnit.MICROS), options.ttl(), 0))
                .map(LockObject::holder);
    }

    /**
     * Makes sure that a hold is the present one and has at least the given token. Also for a hold whose time is over, when no
     * other writer has taken the lock since. A hold with less than a third of its time left is extended.
     *
     * @return the hold; empty when the lock is free or held by another
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when the lock kept changing
     */
    public Optional<LeaseHolder> confirm(String ownerId, Instant acquiredAt, long atLeast) {
        return change(ownerId, acquiredAt, lock -> {
                    Instant now = clock.now().truncatedTo(ChronoUnit.MICROS);
                    boolean lasts = lock.token() >= atLeast && !lock.holder().hasExpired(now.plus(options.third()));
                    return lasts ? lock : lock.renewed(nextWrite(lock), now, options.ttl(), atLeast);
                })
                .map(LockObject::holder);
    }

    /**
     * Ends a hold, whoever took it.
     *
     * @return false when it was over already, and nothing was changed
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when the lock kept changing
     */
    public boolean release(String ownerId, Instant acquiredAt) {
        return change(ownerId, acquiredAt, lock -> lock.released(nextWrite(lock)))
                .isPresent();
    }

    private Optional<LockObject> change(String ownerId, Instant acquiredAt, UnaryOperator<LockObject> next) {
        for (int i = 0; i < BREAK_TRIES; i++) {
            Optional<Seen> seen = cell.read()
                    .filter(found -> !found.object().isReleased()
                            && found.object().holder().ownerId().equals(ownerId)
                            && found.object().holder().acquiredAt().equals(acquiredAt));
            if (seen.isEmpty()) {
                return Optional.empty();
            }
            LockObject changed = next.apply(seen.get().object());
            if (changed == seen.get().object() || cell.swap(seen, changed) instanceof PutOutcome.Written) {
                return Optional.of(changed);
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY, "cannot change the lock '" + cell.key() + "'", "it kept changing", "try again");
    }

    private WriteId nextWrite(LockObject lock) {
        return new WriteId(
                lock.holder().attemptId().orElseGet(() -> RandomIds.hex(random, 16)),
                random.nextInt(1, Integer.MAX_VALUE));
    }

    /** One call of {@link #acquire}. */
    private final class Acquisition {
        private final String ownerId;
        private final String hold = RandomIds.hex(random, 16);
        private final long startedAt = clock.monotonicNanos();
        private Optional<Seen> seen;
        private @Nullable LeaseHolder lastHolder;
        private @Nullable OntologiaException lostReply;
        private int tries;

        Acquisition(String ownerId, Optional<Seen> seen) {
            this.ownerId = ownerId;
            this.seen = seen;
        }

        AcquireOutcome run() {
            while (true) {
                if (mayTake()) {
                    Optional<Lease> lease = take();
                    if (lease.isPresent()) {
                        return new AcquireOutcome.Acquired(lease.get());
                    }
                    look();
                    if (tries < TRIES_BEFORE_WAITING) {
                        continue;
                    }
                }
                long left = options.acquireTimeout().toNanos() - (clock.monotonicNanos() - startedAt);
                if (left <= 0) {
                    return giveUp();
                }
                ask();
                clock.sleep(Duration.ofNanos(Math.min(left, random.nextLong(SHORTEST_WAIT, LONGEST_WAIT))));
                look();
            }
        }

        /** A lock of our own means that a write landed and its reply was lost: it is written over, with a fresh term. */
        private boolean mayTake() {
            return seen.isEmpty()
                    || seen.get().isFree(clock.now())
                    || seen.get().object().isOf(hold);
        }

        /** A holder that gave the lock back has nothing under way. One whose time is over may have, and is fenced first. */
        private long nextToken() {
            if (seen.isEmpty()) {
                return 1;
            }
            LockObject lock = seen.get().object();
            if (lock.isOf(hold)) {
                return lock.token();
            }
            return lock.isReleased() ? lock.token() + 1 : fence.raiseAbove(lock.token());
        }

        private Optional<Lease> take() {
            long token = nextToken();
            Lease.Term term = Lease.Term.startingNow(clock, options.ttl());
            WriteId id = new WriteId(hold, tries++);
            LockObject held = LockObject.held(ownerId, id, term.startedAt(), options.ttl(), token);
            LockObject lock = yields ? held.yielding() : held;
            PutOutcome outcome = cell.swap(seen, lock);
            if (outcome instanceof PutOutcome.Written written) {
                return Optional.of(new Lease(cell, clock, options, id, Seen.written(lock, written.etag()), term));
            }
            if (outcome instanceof PutOutcome.Unknown unknown) {
                lostReply = unknown.reason();
            }
            return Optional.empty();
        }

        /** Asks a holder that keeps the lock without need to give it back. */
        private void ask() {
            if (seen.isPresent() && seen.get().object().canBeAskedFor() && !mayTake()) {
                cell.swap(seen, seen.get().object().wanted(hold));
            }
        }

        private void look() {
            seen = cell.read();
            seen.map(Seen::object)
                    .filter(lock -> !lock.isReleased() && !lock.isOf(hold))
                    .ifPresent(lock -> lastHolder = lock.holder());
        }

        private AcquireOutcome giveUp() {
            if (lostReply != null && mayTake()) {
                throw lostReply;
            }
            if (lastHolder != null) {
                return new AcquireOutcome.Held(lastHolder);
            }
            throw new OntologiaException(
                    ErrorKind.BUSY,
                    "cannot take the lock '" + cell.key() + "'",
                    "other writers took it first and released it again",
                    "try again, or wait longer");
        }
    }
}
