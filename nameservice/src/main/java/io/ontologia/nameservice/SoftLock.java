package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A soft lock that is ours for a while. Once somebody else took it over, or the record was retracted, everything here returns
 * {@link LockOutcome.Lost} and changes nothing. Safe for use by many threads; calls wait for each other.
 */
public final class SoftLock {
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

    /** Lets the lock last a full ttl from now. Works after its end too, unless somebody took it over. */
    public synchronized LockOutcome refresh() {
        return refresh(fields -> {});
    }

    /** Tells how far the work is, from 0 to 1, and refreshes. */
    public synchronized LockOutcome progress(double done) {
        return refresh(fields -> fields.put("progress", done));
    }

    /** Gives the lock back: the record is {@code ready} again. */
    public synchronized LockOutcome release() {
        return change(fields -> {
            fields.remove(kind.field());
            fields.remove("progress");
            fields.put("state", "ready");
        });
    }

    /**
     * Publishes an index, with the next watermark, on the one that was there when the lock was claimed. Refused when the lock is not
     * ours any more, or when somebody without a lock moved the index meanwhile. After an unknown outcome it may be called again: it
     * does not conflict with its own push.
     */
    public synchronized LockOutcome publishIndex(ConcernPayload payload) {
        try {
            ConcernValue status =
                    names.concern(alias, Concern.STATUS).orElseThrow(() -> new NameNotFoundException(alias));
            if (!isOurs(status)) {
                return lost();
            }
            ConcernValue next = index.next(payload);
            PushOutcome outcome = names.push(alias, Concern.INDEX, index, next);
            if (outcome instanceof PushOutcome.Conflict conflict
                    && conflict.actual().equals(lostIndex)) {
                // What it conflicts with is our own, whose reply was lost.
                index = conflict.actual();
                if (index.equals(next)) {
                    return new LockOutcome.Done(next);
                }
                next = index.next(payload);
                outcome = names.push(alias, Concern.INDEX, index, next);
            }
            if (outcome instanceof PushOutcome.Unknown unknown && !stands(next)) {
                lostIndex = next;
                return new LockOutcome.Unknown(unknown.reason());
            }
            if (outcome instanceof PushOutcome.Conflict) {
                return new LockOutcome.Lost("the index of '" + alias + "' moved since the lock was claimed");
            }
            index = next;
            return new LockOutcome.Done(next);
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

    private LockOutcome refresh(Consumer<Map<String, @Nullable Object>> more) {
        Instant now = clock.now();
        LockHolder refreshed = holder.refreshed(now.plus(ttl));
        LockOutcome outcome = change(fields -> {
            Map<String, Object> lock = refreshed.tree();
            lock.put("refreshed_at", now.getEpochSecond());
            fields.put(kind.field(), lock);
            more.accept(fields);
        });
        holder = outcome instanceof LockOutcome.Done ? refreshed : holder;
        return outcome;
    }

    private LockOutcome change(Consumer<Map<String, @Nullable Object>> edit) {
        PublishOutcome outcome;
        try {
            outcome = publisher.change(alias, Concern.STATUS, status -> {
                if (!isOurs(status)) {
                    return Optional.empty();
                }
                Map<String, @Nullable Object> fields =
                        new LinkedHashMap<>(status.payload().orElseThrow().fields());
                edit.accept(fields);
                return Optional.of(ConcernPayload.of(fields));
            });
        } catch (NameNotFoundException | NameRetractedException e) {
            return new LockOutcome.Lost(e.getMessage());
        }
        if (outcome instanceof PublishOutcome.Published published) {
            return new LockOutcome.Done(published.value());
        }
        if (outcome instanceof PublishOutcome.Unknown unknown) {
            return new LockOutcome.Unknown(unknown.reason());
        }
        return outcome instanceof PublishOutcome.Contended
                ? new LockOutcome.Unknown(new OntologiaException(
                        ErrorKind.BUSY,
                        "cannot change a lock of '" + alias + "'",
                        "its status kept changing",
                        "try again"))
                : lost();
    }

    private boolean isOurs(ConcernValue status) {
        return LockHolder.in(status, kind)
                .filter(current -> current.token().equals(token))
                .isPresent();
    }

    private LockOutcome lost() {
        return new LockOutcome.Lost("somebody else took over the lock of '" + alias + "', or it was released");
    }
}
