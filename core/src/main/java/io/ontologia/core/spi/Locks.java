package io.ontologia.core.spi;

import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The one write lock of a store. While somebody holds it and its time is not over, every write of others is refused. A
 * hold is told from every other one by owner and moment of acquisition. Every method is atomic and may be called from many
 * threads and processes at once.
 */
public interface Locks {

    /** Who holds the lock; also when its time is over and nobody took it yet. */
    Optional<LockHolder> holder();

    /**
     * Takes the lock for the store's lease time, waiting for others up to the timeout. A hold of the same owner counts as
     * one of others.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY}, naming owner and expiry, when the wait was in vain
     */
    LockHolder acquire(String ownerId, Duration timeout);

    /**
     * Extends a hold to the lease time from now.
     *
     * @return the hold with its new expiry; empty when it is no longer the one that holds the lock
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when it cannot be said now; try again
     */
    Optional<LockHolder> renew(LockHolder hold);

    /**
     * Gives the lock back, also for somebody else: the caller decides whose hold it may end.
     *
     * @return false when the hold was over already, and nothing was changed
     */
    boolean release(LockHolder hold);

    /**
     * Takes the lock away from a holder: from the return of this method on, no commit that carries the hold, and no commit
     * that its holder had under way, becomes visible.
     *
     * @return false when the hold was over already, and nothing was changed
     */
    boolean breakHold(LockHolder hold);

    /** What is stored in the place of the lock when it cannot be read; then every other method fails. */
    default Optional<LockDamage> damage() {
        return Optional.empty();
    }

    /**
     * Replaces a lock that cannot be read by a free one: from the return of this method on, no commit that its holder had under
     * way becomes visible.
     *
     * @return false when something else is stored now, and nothing was changed
     */
    default boolean replaceDamaged(LockDamage damage) {
        return false;
    }

    /** The refusal that somebody gets who waited in vain for the holder of the lock. */
    static OntologiaException held(String what, LockHolder holder, Duration timeout) {
        return new OntologiaException(
                ErrorKind.BUSY,
                "cannot " + what,
                "'" + holder.ownerId() + "' holds the write lock until " + UtcTimestamp.format(holder.expiresAt())
                        + " and did not let go within " + timeout.toMillis() + " ms",
                "wait for it to finish; 'onto lock show' tells more",
                Map.of("owner_id", holder.ownerId(), "expires_at", UtcTimestamp.format(holder.expiresAt())),
                null);
    }
}
