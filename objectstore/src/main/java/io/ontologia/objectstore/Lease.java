package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.LockCell.Seen;
import io.ontologia.objectstore.LockObject.WriteId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that is ours for a while. Call {@link #ensureSafe()} right before whatever the lock protects, and let a {@link
 * LeaseKeeper} renew it meanwhile. A lease that was lost once stays lost: acquire the lock again.
 *
 * <p>All methods may be called from many threads at once; {@link #ensureSafe()} never waits for a running renewal.
 */
public final class Lease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lease.class);
    private static final int TRIES = 3;

    private final LockCell cell;
    private final Clock clock;
    private final LeaseOptions options;
    private final String ownerId;
    private final String hold;
    private final AtomicReference<State> state;
    private final ReentrantLock writing = new ReentrantLock();
    private Seen ours;
    private int writes;

    Lease(LockCell cell, Clock clock, LeaseOptions options, WriteId id, Seen ours, Term term) {
        this.cell = cell;
        this.clock = clock;
        this.options = options;
        this.ownerId = ours.object().holder().ownerId();
        this.hold = id.hold();
        this.writes = id.number() + 1;
        this.ours = ours;
        this.state = new AtomicReference<>(new State.Held(term));
    }

    /** The name that others see. */
    public String ownerId() {
        return ownerId;
    }

    /** What others see of this hold, as of its last renewal. */
    public LeaseHolder holder() {
        writing.lock();
        try {
            return ours.object().holder();
        } finally {
            writing.unlock();
        }
    }

    /** Larger than that of every earlier hold of this lock. What the lock protects is written under it, see {@link LeaseFence}. */
    public long token() {
        return holder().token();
    }

    /** What tells this lease from every other, also of the same owner. */
    public String attemptId() {
        return hold;
    }

    /**
     * Returns if and only if this lease lasts for at least another third of its ttl, by the wall clock and by the time that
     * passed since it was last renewed, whichever is stricter. Does no I/O.
     *
     * @throws LeaseExpiredException otherwise, and from then on always
     */
    public void ensureSafe() {
        while (state.get() instanceof State.Held held) {
            if (held.term().lastsFor(options.third(), clock)) {
                return;
            }
            state.compareAndSet(held, new State.Lost("it was not renewed in time"));
        }
        throw new LeaseExpiredException(cell.key(), lossReason().orElse("it was released"));
    }

    /**
     * Extends the lease to a full ttl from now, if the lock is still ours.
     *
     * @return false when it is not or has expired, and the lease is lost for good then; also false when the store cannot be
     *     reached, is full or busy, and then the lease lasts as long as it was granted before, and another call may succeed
     */
    public boolean renew() {
        writing.lock();
        try {
            if (!(state.get() instanceof State.Held held)) {
                return false;
            }
            if (!held.term().lastsFor(Duration.ZERO, clock)) {
                return lost("it was not renewed in time");
            }
            return extend(0);
        } catch (OntologiaException e) {
            return passes(e) ? false : lost("it could not be renewed: " + e.getMessage());
        } finally {
            writing.unlock();
        }
    }

    /**
     * Gives this lease at least the given token, because the fence was raised by a process that did not get the lock in the
     * end. Extends it as {@link #renew} does.
     *
     * @return false when the lock is not ours any more; the lease is lost for good then
     */
    public boolean raiseTo(long token) {
        writing.lock();
        try {
            return state.get() instanceof State.Held && (token <= ours.object().token() || extend(token));
        } catch (OntologiaException e) {
            return lost("it could not be renewed: " + e.getMessage());
        } finally {
            writing.unlock();
        }
    }

    private boolean extend(long token) {
        for (int i = 0; i < TRIES; i++) {
            Term term = Term.startingNow(clock, options.ttl());
            LockObject next = ours.object().renewed(nextWrite(), term.startedAt(), options.ttl(), token);
            if (cell.swap(Optional.of(ours), next) instanceof PutOutcome.Written written) {
                ours = Seen.written(next, written.etag());
                // Never from lost back to held: somebody may already have been told that the lease is not safe.
                State after = state.updateAndGet(s -> s instanceof State.Held ? new State.Held(term) : s);
                return after instanceof State.Held
                        && (term.lastsFor(Duration.ZERO, clock) || lost("its renewal took longer than the ttl"));
            }
            if (!lookAgain()) {
                return lost("another writer took the lock, or it was broken");
            }
        }
        return lost("the lock kept changing");
    }

    /** Reads the lock after a swap that was refused or unknown; false when it is not ours any more. */
    private boolean lookAgain() {
        Optional<Seen> seen = cell.read().filter(s -> s.object().isOf(hold));
        seen.ifPresent(s -> ours = s);
        return seen.isPresent();
    }

    /** Whether an error says nothing about the lock: no other writer can have taken it before the time that was granted. */
    private static boolean passes(OntologiaException e) {
        return e.kind() == ErrorKind.UNAVAILABLE || e.kind() == ErrorKind.BUSY || e.kind() == ErrorKind.UNKNOWN_OUTCOME;
    }

    /**
     * Whether another writer asked for the lock since it was taken. One request.
     *
     * @throws OntologiaException when the store cannot be asked
     */
    public boolean isWanted() {
        writing.lock();
        try {
            Optional<Seen> now = cell.readIfChanged(ours);
            now.filter(seen -> seen.object().isOf(hold)).ifPresent(seen -> ours = seen);
            return ours.object().isWanted();
        } finally {
            writing.unlock();
        }
    }

    /** The lock object as this lease left it, to save the next acquisition a look; only after {@link #release}. */
    public LeaseLock.Look leftBehind() {
        writing.lock();
        try {
            return LeaseLock.Look.of(ours);
        } finally {
            writing.unlock();
        }
    }

    private boolean lost(String reason) {
        state.updateAndGet(s -> s instanceof State.Held ? new State.Lost(reason) : s);
        return false;
    }

    private WriteId nextWrite() {
        return new WriteId(hold, writes++);
    }

    /**
     * Gives the lock back, if it is still ours; otherwise changes nothing. Best effort: what fails is logged, and the lock
     * is then free when it expires. The lease is not safe from the start of this call on. Idempotent.
     */
    public void release() {
        if (state.getAndSet(new State.Released()) instanceof State.Released) {
            return;
        }
        writing.lock();
        try {
            expire();
        } catch (OntologiaException e) {
            LOG.atWarn()
                    .addKeyValue("lock", cell.key())
                    .addKeyValue("reason", e.getMessage())
                    .log("lease not released, it will expire");
        } finally {
            writing.unlock();
        }
    }

    private void expire() {
        for (int i = 0; i < TRIES; i++) {
            LockObject expired = ours.object().released(nextWrite());
            if (cell.swap(Optional.of(ours), expired) instanceof PutOutcome.Written written) {
                ours = Seen.written(expired, written.etag());
            } else if (!lookAgain()) {
                return;
            }
            if (ours.object().isReleased()) {
                if (options.releaseStyle() == ReleaseStyle.EXPIRE_AND_DELETE) {
                    cell.deleteIfMatch(ours.etag());
                }
                return;
            }
        }
    }

    /** The same as {@link #release()}. */
    @Override
    public void close() {
        release();
    }

    /** How long until the next renewal is due, zero when it is; empty when the lease is lost or released. */
    Optional<Duration> untilRenewal() {
        if (!(state.get() instanceof State.Held held)) {
            return Optional.empty();
        }
        Duration wait = options.third().minus(held.term().age(clock));
        return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
    }

    /** How long to wait after a renewal that failed. */
    Duration untilRetry() {
        return options.third().dividedBy(10);
    }

    /** Why the lease is not safe any more; empty while it is held and after a release. */
    Optional<String> lossReason() {
        return state.get() instanceof State.Lost lost ? Optional.of(lost.reason()) : Optional.empty();
    }

    String key() {
        return cell.key();
    }

    private sealed interface State {
        record Held(Term term) implements State {}

        record Lost(String reason) implements State {}

        record Released() implements State {}
    }

    /**
     * The time for which the lease was granted, on both clocks: the wall clock is what others judge by, but it may be set
     * back, and then only the monotonic one tells how long the holder slept.
     */
    record Term(Instant startedAt, long startedNanos, Duration ttl) {

        /** To be taken before the write that grants it, so that it never lasts longer than others believe. */
        static Term startingNow(Clock clock, Duration ttl) {
            long nanos = clock.monotonicNanos();
            return new Term(clock.now().truncatedTo(ChronoUnit.MICROS), nanos, ttl);
        }

        Duration age(Clock clock) {
            return Duration.ofNanos(clock.monotonicNanos() - startedNanos);
        }

        /** Whether more than the given time is left on both clocks. */
        boolean lastsFor(Duration margin, Clock clock) {
            return clock.now().plus(margin).isBefore(startedAt.plus(ttl))
                    && age(clock).plus(margin).compareTo(ttl) < 0;
        }
    }
}
