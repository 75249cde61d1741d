package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one conditional write that makes commits visible. */
final class HeadSwap {
    private static final int TRIES = 4;

    private final ObjectStore store;
    private final Chain chain;
    private final SwapGate gate;

    HeadSwap(ObjectStore store, Chain chain, SwapGate gate) {
        this.store = store;
        this.chain = chain;
        this.gate = gate;
    }

    /**
     * The commit is visible.
     *
     * @param now the head with our commit, as it is stored; empty when others already built on it
     */
    record Swapped(Optional<Found> now) {}

    /** A head in one version. */
    record Found(Head head, ETag etag) {}

    /**
     * Puts a head in the place of another one.
     *
     * @param token of the hold of the write lock under which it happens, at least the fence of the head before
     * @return empty when the other one was no longer there, or the store refused each try, and certainly nothing became visible
     * @throws OntologiaException of kind {@link ErrorKind#UNKNOWN_OUTCOME} when the store does not let us find out
     */
    Optional<Swapped> swap(View before, Head next, long token) {
        if (token < before.head().fence()) {
            throw new IllegalStateException(
                    "token " + token + " is below the fence " + before.head().fence());
        }
        Head after = next.fenced(token);
        return gate.pass(() -> swap(before, after));
    }

    private Optional<Swapped> swap(View before, Head after) {
        Payload payload = Payload.of(after.bytes());
        boolean doubt = false;
        for (int i = 0; i < TRIES; i++) {
            PutOutcome outcome = store.putIfMatch(Keys.HEAD, payload, before.etag());
            doubt |= outcome instanceof PutOutcome.Unknown;
            if (outcome instanceof PutOutcome.Written written) {
                return Optional.of(new Swapped(Optional.of(new Found(after, written.etag()))));
            }
            // A refusal may follow a write of ours that landed with a lost reply, so both cases look who is there.
            Optional<Found> found = look(doubt);
            if (found.isPresent() && !found.get().etag().equals(before.etag())) {
                // The old head is gone for good: ours is in the chain by now, or never will be.
                Head now = found.get().head();
                if (now.isSameCommit(after)) {
                    return Optional.of(new Swapped(found));
                }
                return isVisible(after, now, doubt) ? Optional.of(new Swapped(Optional.empty())) : Optional.empty();
            }
            if (found.isEmpty()) {
                return Optional.empty();
            }
        }
        if (!doubt) {
            // Refused each time, for whatever reason, and never left without a reply.
            return Optional.empty();
        }
        throw unknown(null);
    }

    private Optional<Found> look(boolean doubt) {
        try {
            return store.get(Keys.HEAD).map(object -> new Found(Head.parse(object.bytes()), object.etag()));
        } catch (OntologiaException e) {
            throw doubt ? unknown(e) : e;
        }
    }

    private boolean isVisible(Head ours, Head now, boolean doubt) {
        try {
            return chain.find(now, ours.commitId())
                    .filter(manifest ->
                            manifest.path().equals(ours.manifestPath().orElseThrow()))
                    .isPresent();
        } catch (OntologiaException e) {
            throw doubt ? unknown(e) : e;
        }
    }

    private static OntologiaException unknown(@Nullable OntologiaException cause) {
        return new UnknownSwapException(cause);
    }

    /** The head may or may not be swapped, and a swap that is under way may still succeed. */
    static final class UnknownSwapException extends OntologiaException {
        private UnknownSwapException(@Nullable OntologiaException cause) {
            super(
                    ErrorKind.UNKNOWN_OUTCOME,
                    "the commit may or may not be stored",
                    "the reply to its last write was lost, and the store does not answer",
                    "look at the commit log before you try again",
                    Map.of(),
                    cause);
        }
    }
}
