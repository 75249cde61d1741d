package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.LeaseFence;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Rewrites the head without a commit, so that swaps fail which other writers have prepared: every swap names the version of the
 * head that it replaces.
 */
final class HeadFence implements LeaseFence {
    private static final int TRIES = 10;

    private final ObjectStore store;
    private final RandomGenerator random;

    HeadFence(ObjectStore store, RandomGenerator random) {
        this.store = store;
        this.random = random;
    }

    @Override
    public long raiseAbove(long token) {
        for (int i = 0; i < TRIES; i++) {
            Optional<StoredObject> stored = store.get(Keys.HEAD);
            if (stored.isEmpty()) {
                // There is no store, so no swap of its head can succeed.
                return token + 1;
            }
            Head head = Head.parse(stored.get().bytes());
            if (head.fence() > token) {
                return head.fence();
            }
            Head raised = head.fenced(token + 1).rewritten(nonce());
            if (store.putIfMatch(
                            Keys.HEAD, Payload.of(raised.bytes()), stored.get().etag())
                    instanceof PutOutcome.Written) {
                return raised.fence();
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY, "cannot fence '" + Keys.HEAD + "'", "other writers kept changing it", "try again");
    }

    /**
     * Makes every swap fail that was prepared on a version of the head.
     *
     * @return whether the head was still that version; where the reply was lost this may be false although it was
     */
    boolean renew(Head head, ETag version) {
        Payload same = Payload.of(head.rewritten(nonce()).bytes());
        return store.putIfMatch(Keys.HEAD, same, version) instanceof PutOutcome.Written;
    }

    private String nonce() {
        return RandomIds.hex(random, 16);
    }
}
