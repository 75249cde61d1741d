package io.ontologia.store.object.internal;

import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The holds of the write lock that sessions of this process acquired and did not close yet. */
final class HeldLocks {
    private static final Logger LOG = LoggerFactory.getLogger(HeldLocks.class);
    private static final Duration LONGEST_SWAP = Duration.ofSeconds(5);

    private final SharedStore shared;
    private final StorageOptions options;
    private final SwapGate gate = new SwapGate();
    private final Set<LockHolder> holds = ConcurrentHashMap.newKeySet();

    HeldLocks(SharedStore shared, StorageOptions options) {
        this.shared = shared;
        this.options = options;
    }

    /** What every swap of the head passes. */
    SwapGate gate() {
        return gate;
    }

    void add(LockHolder hold) {
        holds.add(hold);
    }

    void remove(LockHolder hold) {
        holds.removeIf(hold::isSameHold);
    }

    /** Gives all of them back. Best effort: where the store cannot be reached, they expire. */
    void release() {
        ObjectLocks locks = new ObjectLocks(shared, options, () -> {});
        for (LockHolder hold : holds) {
            try {
                locks.release(hold);
            } catch (OntologiaException e) {
                LOG.atWarn().addKeyValue("reason", e.getMessage()).log("write lock not released, it will expire");
            }
        }
    }

    /**
     * Lets no further commit become visible, and gives all holds back. A swap of the head that is under way is waited for; when
     * that takes too long, the holds are left to expire.
     *
     * @param lease gives back the hold of single commits
     */
    void releaseAtExit(Runnable lease) {
        if (gate.close(LONGEST_SWAP)) {
            lease.run();
            release();
        }
    }
}
