package io.ontologia.store.object.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimState;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.layout.ClaimDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a store: each an object that is swapped. What was seen last is remembered, so that a claim of our own is
 * changed with one request; a finished one never changes again. Safe for use by many threads.
 */
public final class ClaimObjects {
    private static final int TRIES = 4;
    private static final int ATTEMPT_DIGITS = 16;

    private final ObjectStore store;
    private final Clock clock;
    private final RandomGenerator random;
    private final Map<Name, Held> known = new ConcurrentHashMap<>();
    private final Set<Name> finished = ConcurrentHashMap.newKeySet();
    private final Set<Name> settling = ConcurrentHashMap.newKeySet();
    private final Map<Name, Instant> unreadable = new ConcurrentHashMap<>();

    public ClaimObjects(ObjectStore store, Clock clock, RandomGenerator random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /** Which claim. */
    record Name(String namespace, String eventId, String handlerId) {
        static Name of(Claim claim) {
            return new Name(claim.event().namespace(), claim.event().id(), claim.handlerId());
        }

        String key() {
            return EventKeys.claim(namespace, eventId, handlerId);
        }
    }

    /**
     * A claim as it was seen.
     *
     * @param isOurs whether this process wrote it
     */
    record Held(ClaimDocument claim, ETag etag, Instant seenAt, boolean isOurs) {
        ClaimState state() {
            return claim.state();
        }
    }

    boolean isFinished(Name name) {
        return finished.contains(name);
    }

    Optional<Held> known(Name name) {
        return Optional.ofNullable(known.get(name));
    }

    /** Forgets what is known of an event's claim, which was removed. */
    void forget(Name name) {
        known.remove(name);
        finished.remove(name);
        unreadable.remove(name);
    }

    /** Forgets a whole namespace. */
    void forget(String namespace) {
        known.keySet().removeIf(name -> name.namespace().equals(namespace));
        finished.removeIf(name -> name.namespace().equals(namespace));
        unreadable.keySet().removeIf(name -> name.namespace().equals(namespace));
    }

    /** When a claim that cannot be read was looked at last; empty for one that can. */
    Optional<Instant> unreadableAt(Name name) {
        return Optional.ofNullable(unreadable.get(name));
    }

    /** Leaves a claim alone until it was looked at again. */
    void leaveOut(Name name, OntologiaException why) {
        known.remove(name);
        if (unreadable.put(name, clock.now()) == null) {
            Unreadable.tell("claim of " + name.handlerId() + " on event " + name.eventId(), why);
        }
    }

    /** Reads a claim, and leaves it out when that cannot be done. */
    Optional<Held> lookIfReadable(Name name) {
        try {
            return look(name);
        } catch (OntologiaException e) {
            if (!Unreadable.is(e)) {
                throw e;
            }
            leaveOut(name, e);
            return Optional.empty();
        }
    }

    /** Reads a claim. */
    private Optional<Held> look(Name name) {
        String key = name.key();
        Held before = known.get(name);
        Optional<Held> found = store.get(key)
                .map(object -> new Held(ClaimDocument.parse(key, object.bytes()), object.etag(), clock.now(), false));
        remember(name, before, found.orElse(null));
        unreadable.remove(name);
        return found;
    }

    /**
     * Takes over what was read or written. Where another thread got to know something else meanwhile, nobody can tell which of
     * the two is newer, and nothing is known until the next look.
     *
     * @param before what was known when the reading began, or what was replaced by writing; null for nothing
     * @param now null for nothing
     */
    private void remember(Name name, @Nullable Held before, @Nullable Held now) {
        if (now != null && now.state().isFinal()) {
            finished.add(name);
            known.remove(name);
        } else {
            known.compute(name, (unused, present) -> isSameVersion(present, before) ? now : null);
        }
    }

    private static boolean isSameVersion(@Nullable Held one, @Nullable Held other) {
        return Optional.ofNullable(one)
                .map(Held::etag)
                .equals(Optional.ofNullable(other).map(Held::etag));
    }

    private Held written(Name name, @Nullable Held before, ClaimDocument now, PutOutcome.Written outcome) {
        Held held = new Held(now, outcome.etag(), clock.now(), true);
        remember(name, before, held);
        return held;
    }

    /**
     * Claims an event that nobody has claimed, or in the place of a claim that can be taken over.
     *
     * @param seen the claim to take over; null for none
     * @return empty when somebody else was faster
     */
    Optional<Held> take(Name name, @Nullable Held seen, String sessionId, Duration lease) {
        Instant now = clock.now().truncatedTo(ChronoUnit.MICROS);
        Instant leaseUntil = now.plus(lease);
        String attempt = RandomIds.hex(random, ATTEMPT_DIGITS);
        ClaimDocument next = seen == null
                ? ClaimDocument.first(name.eventId(), name.handlerId(), sessionId, now, leaseUntil, attempt)
                : seen.claim().retaken(sessionId, now, leaseUntil, attempt);
        Payload payload = Payload.of(next.bytes());
        PutOutcome outcome = seen == null
                ? store.putIfAbsent(name.key(), payload)
                : store.putIfMatch(name.key(), payload, seen.etag());
        if (outcome instanceof PutOutcome.Written written) {
            return Optional.of(written(name, seen, next, written));
        }
        return look(name).filter(held -> held.claim().attemptId().equals(attempt));
    }

    /**
     * Changes a claim so that it is over, if and only if it is still the given one and lives. From the beginning of this call
     * on nothing more is done on its behalf here: others may have the event before we get our reply.
     *
     * @return how it is now; empty when the claim is lost
     * @throws OntologiaException of kind {@link ErrorKind#UNKNOWN_OUTCOME} when the store does not let us find out
     */
    Optional<Held> settle(Claim claim, UnaryOperator<ClaimDocument> how) {
        Name name = Name.of(claim);
        settling.add(name);
        try {
            return change(claim, how);
        } finally {
            settling.remove(name);
        }
    }

    private Optional<Held> change(Claim claim, UnaryOperator<ClaimDocument> how) {
        Name name = Name.of(claim);
        String attempt = RandomIds.hex(random, ATTEMPT_DIGITS);
        boolean unknown = false;
        for (int i = 0; i < TRIES; i++) {
            Held held = known.get(name);
            // What is remembered may be out of date: only the store can say that a claim is lost.
            if (i > 0 || held == null || !isLive(held, claim, clock.now())) {
                held = look(name).orElse(null);
            }
            if (held != null && held.claim().attemptId().equals(attempt)) {
                return Optional.of(held);
            }
            if (held == null || !isLive(held, claim, clock.now())) {
                return Optional.empty();
            }
            ClaimDocument next = how.apply(held.claim()).attempt(attempt);
            PutOutcome outcome = store.putIfMatch(name.key(), Payload.of(next.bytes()), held.etag());
            if (outcome instanceof PutOutcome.Written written) {
                return Optional.of(written(name, held, next, written));
            }
            unknown |= outcome instanceof PutOutcome.Unknown;
        }
        throw new OntologiaException(
                unknown ? ErrorKind.UNKNOWN_OUTCOME : ErrorKind.BUSY,
                "cannot tell what became of the claim on event " + name.eventId(),
                unknown ? "replies were lost, and the store does not show it" : "others kept changing it",
                "inspect the event before you go on");
    }

    private static boolean isLive(Held held, Claim claim, Instant at) {
        ClaimState state = held.state();
        return state.sessionId().equals(claim.sessionId())
                && state.claimedAt().equals(claim.claimedAt())
                && !state.isFinal()
                && held.claim().failedAt().isEmpty()
                && state.leaseUntil().isAfter(at);
    }

    /** Whether a claim is still the given one and lives for so long from now, as far as this process knows; asks nobody. */
    public boolean isKnownToLast(Claim claim, Duration time) {
        Name name = Name.of(claim);
        Instant end = clock.now().plus(time);
        return !settling.contains(name)
                && known(name).filter(held -> isLive(held, claim, end)).isPresent();
    }

    /**
     * Closes a claim after its dead letter was written. When somebody else took it over meanwhile, they do that.
     *
     * @param held how it was seen last
     */
    void close(Name name, Held held) {
        ClaimDocument next = held.claim().buried().attempt(RandomIds.hex(random, ATTEMPT_DIGITS));
        PutOutcome outcome = store.putIfMatch(name.key(), Payload.of(next.bytes()), held.etag());
        if (outcome instanceof PutOutcome.Written written) {
            written(name, held, next, written);
        } else {
            look(name);
        }
    }

    /**
     * Lets a claim live for at least so long from now. Who was promised more keeps it.
     *
     * @return until when it lives; empty when it is lost, or somebody here is about to end it
     */
    public Optional<Instant> extend(Claim claim, Duration lease) {
        if (settling.contains(Name.of(claim))) {
            return Optional.empty();
        }
        Instant until = clock.now().plus(lease).truncatedTo(ChronoUnit.MICROS);
        return change(
                        claim,
                        document ->
                                document.state().leaseUntil().isAfter(until) ? document : document.leaseUntil(until))
                .map(held -> held.state().leaseUntil());
    }
}
