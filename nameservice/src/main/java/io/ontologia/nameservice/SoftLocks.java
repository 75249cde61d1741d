package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Soft locks in the status of records: leases with which processes that share a nameservice agree on who does a piece of work.
 * All other fields of the status survive.
 *
 * <p><b>Time.</b> Leases compare wall clocks. Somebody else's lock is taken over only a third of the ttl after its end, and a
 * holder should stop a third before it, so clocks may differ by that much.
 *
 * <p><b>Fencing.</b> Time is never the only guard. Every action of a holder is a compare-and-set on a status that still holds its
 * token. A claim that takes over an expired lock also moves the index concern (its watermark rises, and a field {@value #FENCE} is set)
 * before it succeeds, so that the former holder's index, which is pushed on what it saw before, conflicts; a holder that meets a conflict
 * checks its lock again. A retraction that takes a lock away leaves the field in the status, and the first claim after the restoration
 * moves the index too.
 *
 * <p><b>Several kinds.</b> Locks of different kinds may be held at the same time. State, progress and error of the status belong to the
 * lock whose state is shown; claiming and releasing another one leaves them alone.
 *
 * <p>Safe for use by many threads when the random generator is.
 */
public final class SoftLocks {
    /** The field of an index payload that a takeover sets; in a status, that the next claim must set it. */
    public static final String FENCE = "onto.fence";

    private static final String BROKEN = "broken";

    private final Nameservice names;
    private final Publisher publisher;
    private final Clock clock;
    private final RandomGenerator random;

    /** Locks in the records of a nameservice. */
    public SoftLocks(Nameservice names, Clock clock, RandomGenerator random) {
        this.names = names;
        this.publisher = new Publisher(names, clock, random);
        this.clock = clock;
        this.random = random;
    }

    /**
     * Takes the lock if it is free or over.
     *
     * @param holder the name that others see
     * @param targetT what will be worked on
     * @param ttl how long it lasts unless refreshed; 3 seconds or more
     * @throws NameNotFoundException when there is no such record
     * @throws NameRetractedException when it is retracted
     */
    public ClaimOutcome claim(Alias alias, LockKind kind, String holder, long targetT, Duration ttl) {
        if (ttl.compareTo(Duration.ofSeconds(3)) < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid ttl of a lock",
                    "it is shorter than 3 seconds",
                    "choose a longer one");
        }
        Instant now = clock.now();
        LockHolder wanted = new LockHolder(holder, RandomIds.hex(random, 24), targetT, now, now.plus(ttl));
        Former former = new Former();
        PublishOutcome outcome = publisher.change(alias, Concern.STATUS, status -> {
            former.holder = LockHolder.in(status, kind).orElse(null);
            former.mayPublish = former.holder != null
                    || status.payload()
                            .filter(payload -> payload.fields().containsKey(FENCE))
                            .isPresent();
            boolean free = former.holder == null || former.holder.isOver(now, ttl.dividedBy(3));
            return free ? Optional.of(new LockedStatus(status, kind).claimed(wanted)) : Optional.empty();
        });
        if (outcome instanceof PublishOutcome.Published) {
            return claimed(alias, kind, wanted, ttl, former);
        }
        if (outcome instanceof PublishOutcome.Unknown unknown) {
            return new ClaimOutcome.Unknown(unknown.reason());
        }
        LockHolder other = former.holder;
        return other == null
                ? new ClaimOutcome.Unknown(new OntologiaException(
                        ErrorKind.BUSY,
                        "cannot claim a lock of '" + alias + "'",
                        "its status kept changing",
                        "try again"))
                : new ClaimOutcome.Held(other);
    }

    /**
     * Takes a lock away from its holder, which can then neither refresh it nor publish an index. For operators who know that the holder is
     * dead; a client waits until the lock is over.
     *
     * <p>One write decides: the index moves and names the broken hold, and from then on the holder publishes nothing. The status is
     * cleared after it. A call that breaks off in between may be made again.
     *
     * @param token that of the hold that is meant
     * @return whether it was taken away; false when the lock is not held with this token (any more)
     */
    public boolean breakLock(Alias alias, LockKind kind, String token) {
        if (!holder(alias, kind).map(LockHolder::token).equals(Optional.of(token))) {
            return false;
        }
        PublishOutcome fenced = publisher.change(
                alias,
                Concern.INDEX,
                actual -> isBroken(actual, token)
                        ? Optional.empty()
                        : Optional.of(fenced(actual, Map.of("token", token, BROKEN, token))));
        requireKnown(fenced);
        PublishOutcome freed = publisher.change(
                alias,
                Concern.STATUS,
                status -> LockHolder.in(status, kind)
                        .filter(current -> current.token().equals(token))
                        .map(current -> new LockedStatus(status, kind).released()));
        requireKnown(freed);
        return freed instanceof PublishOutcome.Published;
    }

    private static void requireKnown(PublishOutcome outcome) {
        if (outcome instanceof PublishOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        if (outcome instanceof PublishOutcome.Contended) {
            throw new OntologiaException(
                    ErrorKind.BUSY, "cannot break a lock", "the record kept changing", "break it again");
        }
    }

    /** Whether the fence of an index names a hold as broken. */
    static boolean isBroken(ConcernValue index, String token) {
        return broken(index).equals(Optional.of(token));
    }

    /** The hold that the fence of an index names as broken. */
    private static Optional<String> broken(ConcernValue index) {
        return index.payload().flatMap(payload -> payload.object(FENCE)).flatMap(fence -> fence.text(BROKEN));
    }

    /** What a holder publishes: while a broken hold still stands in the status, the fence against it stays. */
    static ConcernPayload published(ConcernPayload payload, ConcernValue before, ConcernValue status) {
        Optional<String> broken = broken(before)
                .filter(token -> Stream.of(LockKind.values())
                        .flatMap(kind -> LockHolder.in(status, kind).stream())
                        .anyMatch(holder -> holder.token().equals(token)));
        return broken.isEmpty()
                ? payload
                : payload.with(FENCE, before.payload().orElseThrow().fields().get(FENCE));
    }

    private static ConcernPayload fenced(ConcernValue index, Map<String, Object> fence) {
        return index.payload().orElse(ConcernPayload.of(Map.of())).with(FENCE, fence);
    }

    /** Moves the index, so that no client publishes that claimed before. */
    private PublishOutcome fence(Alias alias, String token) {
        return publisher.change(alias, Concern.INDEX, actual -> {
            Map<String, Object> fence = new LinkedHashMap<>();
            fence.put("token", token);
            broken(actual).ifPresent(hold -> fence.put(BROKEN, hold));
            return Optional.of(fenced(actual, fence));
        });
    }

    /** Who holds a lock, over or not; empty when it is free. */
    public Optional<LockHolder> holder(Alias alias, LockKind kind) {
        return names.concern(alias, Concern.STATUS).flatMap(status -> LockHolder.in(status, kind));
    }

    private ClaimOutcome claimed(Alias alias, LockKind kind, LockHolder ours, Duration ttl, Former former) {
        ConcernValue index = names.concern(alias, Concern.INDEX).orElseThrow(() -> new NameNotFoundException(alias));
        if (former.mayPublish) {
            if (!(fence(alias, ours.token()) instanceof PublishOutcome.Published published)) {
                return new ClaimOutcome.Unknown(new OntologiaException(
                        ErrorKind.BUSY,
                        "cannot take over a lock of '" + alias + "'",
                        "the index kept changing",
                        "claim it again when it is over"));
            }
            index = published.value();
        }
        return new ClaimOutcome.Claimed(new SoftLock(names, publisher, clock, alias, kind, ours, ttl, index));
    }

    /** Whom the last attempt of a claim met. */
    private static final class Former {
        private @Nullable LockHolder holder;
        /** Whether somebody who held the lock before may still be about to publish. */
        private boolean mayPublish;
    }
}
