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
    }

    /** Forgets a whole namespace. */
    void forget(String namespace) {
        known.keySet().removeIf(name -> name.namespace().equals(namespace));
        finished.removeIf(name -> name.namespace().equals(namespace));
    }

    /** Reads a claim. */
    Optional<Held> look(Name name) {
        String key = name.key();
        Optional<Held> found = store.get(key)
                .map(object -> new Held(ClaimDocument.parse(key, object.bytes()), object.etag(), clock.now(), false));
        found.ifPresentOrElse(held -> remember(name, held), () -> known.remove(name));
        return found;
    }

    private Held remember(Name name, Held held) {
        if (held.state().isFinal()) {
            finished.add(name);
            known.remove(name);
        } else {
            known.put(name, held);
        }
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
            return Optional.of(remember(name, new Held(next, written.etag(), now, true)));
        }
        return look(name).filter(held -> held.claim().attemptId().equals(attempt));
    }

    /**
     * Changes a claim, if and only if it is still the given one and lives.
     *
     * @return how it is now; empty when the claim is lost
     * @throws OntologiaException of kind {@link ErrorKind#UNKNOWN_OUTCOME} when the store does not let us find out
     */
    Optional<Held> change(Claim claim, UnaryOperator<ClaimDocument> how) {
        Name name = Name.of(claim);
        String attempt = RandomIds.hex(random, ATTEMPT_DIGITS);
        boolean unknown = false;
        for (int i = 0; i < TRIES; i++) {
            Held held = known.get(name);
            // What is remembered may be out of date: only the store can say that a claim is lost.
            if (i > 0 || held == null || !isLive(held, claim)) {
                held = look(name).orElse(null);
            }
            if (held != null && held.claim().attemptId().equals(attempt)) {
                return Optional.of(held);
            }
            if (held == null || !isLive(held, claim)) {
                return Optional.empty();
            }
            ClaimDocument next = how.apply(held.claim()).attempt(attempt);
            PutOutcome outcome = store.putIfMatch(name.key(), Payload.of(next.bytes()), held.etag());
            if (outcome instanceof PutOutcome.Written written) {
                return Optional.of(remember(name, new Held(next, written.etag(), clock.now(), true)));
            }
            unknown |= outcome instanceof PutOutcome.Unknown;
        }
        throw new OntologiaException(
                unknown ? ErrorKind.UNKNOWN_OUTCOME : ErrorKind.BUSY,
                "cannot tell what became of the claim on event " + name.eventId(),
                unknown ? "replies were lost, and the store does not show it" : "others kept changing it",
                "inspect the event before you go on");
    }

    private boolean isLive(Held held, Claim claim) {
        ClaimState state = held.state();
        return state.sessionId().equals(claim.sessionId())
                && state.claimedAt().equals(claim.claimedAt())
                && !state.isFinal()
                && held.claim().failedAt().isEmpty()
                && state.leaseUntil().isAfter(clock.now());
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
            remember(name, new Held(next, written.etag(), clock.now(), true));
        } else {
            look(name);
        }
    }

    /**
     * Lets a claim live for at least so long from now.
     *
     * @return until when it lives; empty when it is lost
     */
    public Optional<Instant> extend(Claim claim, Duration lease) {
        Instant until = clock.now().plus(lease);
        return change(
                        claim,
                        document ->
                                document.state().leaseUntil().isAfter(until) ? document : document.leaseUntil(until))
                .map(held -> held.state().leaseUntil());
    }
}
