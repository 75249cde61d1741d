package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A soft lock that is ours for a while. Once another client took it over, it was broken, or the record was retracted, everything here returns
 * {@link LockOutcome.Lost} and changes nothing. Safe for use by many threads; calls wait for each other.
 */
public final class SoftLock {
    private static final int ATTEMPTS = 20;

    private final Nameservice names;
    private final Publisher publisher;
    private final Clock clock;
    private final Alias alias;
    private final LockKind kind;
    private final Duration ttl;
    private final String token;
    private LockHolder holder;
    private ConcernValue index;
    /** What was pushed on the index, when nobody knows whether it landed. */
    private @Nullable ConcernValue lostIndex;

    SoftLock(
            Nameservice names,
            Publisher publisher,
            Clock clock,
            Alias alias,
            LockKind kind,
            LockHolder holder,
            Duration ttl,
            ConcernValue index) {
        this.names = names;
        this.publisher = publisher;
        this.clock = clock;
        this.alias = alias;
        this.kind = kind;
        this.holder = holder;
        this.token = holder.token();
        this.ttl = ttl;
        this.index = index;
    }

    /** What others see of it, as of the last refresh. */
    public synchronized LockHolder holder() {
        return holder;
    }

    /** The index as it was when the lock was claimed, or as this holder last published it. */
    public synchronized ConcernValue index() {
        return index;
    }

    /** Whether a third of the ttl is left, by this clock: work only while it is, and refresh in time. Does no I/O. */
    public synchronized boolean isSafe() {
        return clock.now().plus(ttl.dividedBy(3)).isBefore(holder.expiresAt());
    }

    /** Lets the lock last a full ttl from now. Works after its end too, unless another client took it over. */
    public synchronized LockOutcome refresh() {
        return refresh(Optional.empty());
    }

    /**
     * Tells how far the work is, from 0 to 1, and refreshes. While the status shows the state of another lock, the progress stands in the
     * lock itself.
     */
    public synchronized LockOutcome progress(double done) {
        return refresh(Optional.of(done));
    }

    /** Gives the lock back: the record is {@code ready} again, or in the state of another lock that is held. */
    public synchronized LockOutcome release() {
        return change(status -> new LockedStatus(status, kind).released());
    }

    /**
     * Publishes an index, with the next watermark. Refused when the lock is not ours any more. When the index moved since the lock was
     * claimed, for example by the holder of a lock of another kind, it is published on top of that. After an unknown outcome it may be
     * called again: it does not conflict with its own push.
     */
    public synchronized LockOutcome publishIndex(ConcernPayload payload) {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                // The status is read after the index that is replaced: a takeover changes the status first and the
                // index after it.
                ConcernValue status =
                        names.concern(alias, Concern.STATUS).orElseThrow(() -> new NameNotFoundException(alias));
                if (!isOurs(status) || SoftLocks.isBroken(index, token)) {
                    return lost();
                }
                ConcernValue next = index.next(SoftLocks.published(payload, index, status));
                PushOutcome outcome = names.push(alias, Concern.INDEX, index, next);
                if (outcome instanceof PushOutcome.Unknown unknown && !stands(next)) {
                    lostIndex = next;
                    return new LockOutcome.Unknown(unknown.reason());
                }
                if (!(outcome instanceof PushOutcome.Conflict conflict)) {
                    index = next;
                    return new LockOutcome.Done(next);
                }
                index = conflict.actual();
                if (index.equals(lostIndex) && index.equals(next)) {
                    // What it conflicts with is our own, whose reply was lost.
                    return new LockOutcome.Done(next);
                }
            }
            return contended();
        } catch (NameNotFoundException | NameRetractedException e) {
            return new LockOutcome.Lost(e.getMessage());
        }
    }

    /** Whether a push whose reply was lost has landed, as far as one can read. */
    private boolean stands(ConcernValue next) {
        try {
            return names.concern(alias, Concern.INDEX).equals(Optional.of(next));
        } catch (OntologiaException e) {
            return false;
        }
    }

    private LockOutcome refresh(Optional<Double> progress) {
        Instant now = clock.now();
        LockHolder refreshed = holder.refreshed(now.plus(ttl));
        LockOutcome outcome = change(status -> {
            Map<String, Object> lock = refreshed.tree();
            lock.put("refreshed_at", now.getEpochSecond());
            return new LockedStatus(status, kind).refreshed(lock, progress);
        });
        holder = outcome instanceof LockOutcome.Done ? refreshed : holder;
        return outcome;
    }

    private LockOutcome change(Function<ConcernValue, ConcernPayload> edit) {
        PublishOutcome outcome;
        try {
            outcome = publisher.change(
                    alias,
                    Concern.STATUS,
                    status -> isOurs(status) ? Optional.of(edit.apply(status)) : Optional.empty());
        } catch (NameNotFoundException | NameRetractedException e) {
            return new LockOutcome.Lost(e.getMessage());
        }
        if (outcome instanceof PublishOutcome.Published published) {
            return new LockOutcome.Done(published.value());
        }
        if (outcome instanceof PublishOutcome.Unknown unknown) {
            return new LockOutcome.Unknown(unknown.reason());
        }
        return outcome instanceof PublishOutcome.Contended ? contended() : lost();
    }

    private LockOutcome contended() {
        return new LockOutcome.Unknown(new OntologiaException(
                ErrorKind.BUSY, "cannot use a lock of '" + alias + "'", "the record kept changing", "try again"));
    }

    private boolean isOurs(ConcernValue status) {
        return LockHolder.in(status, kind)
                .filter(current -> current.token().equals(token))
                .isPresent();
    }

    private LockOutcome lost() {
        return new LockOutcome.Lost("the lock of '" + alias + "' was taken over, broken or released");
    }
}
