package io.ontologia.core;

import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The write lock of a store. Single commits do without it; it is for what must keep others out for longer. While it is
 * held, commits of others wait and are then refused, and commits of sessions with the holder's runtime id pass.
 *
 * <p>A commit of the session that acquired the lock carries its hold until the lease is closed. When the hold was lost
 * meanwhile (it expired and another writer used the lock, or it was broken), the commit is refused with {@link
 * LeaseLostException}.
 */
public final class WriteLock {
    private final Storage storage;
    private final SessionOptions options;
    private final LeasesInUse leases;

    WriteLock(Storage storage, SessionOptions options) {
        this(storage, options, new LeasesInUse());
    }

    /** @param leases where acquired leases are noted until they are closed */
    WriteLock(Storage storage, SessionOptions options, LeasesInUse leases) {
        this.storage = storage;
        this.options = options;
        this.leases = leases;
    }

    /** Who holds it; also when its time is over and nobody took it yet. */
    public Optional<LockHolder> holder() {
        return storage.locks().holder();
    }

    /** As {@link #acquire(Duration)}, with the configured time limit for locks. */
    public WriteLease acquire() {
        return acquire(options.storage().lockTimeout());
    }

    /**
     * Takes the lock, waiting for others up to the timeout. It is ours for the configured lease time; {@link LockKeeper}
     * makes it longer.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY}, naming owner and expiry, when the wait was in vain
     */
    public WriteLease acquire(Duration timeout) {
        LockHolder hold = storage.locks().acquire(options.runtimeId(), timeout);
        return leases.add(new WriteLease(
                storage.locks(), options.storage().clock(), options.storage().leaseTtl(), hold, leases));
    }

    /**
     * Runs work while holding the lock, renewed for as long as the work takes.
     *
     * @return what the work returned
     * @throws OntologiaException as {@link #acquire(Duration)}; whatever the work throws
     */
    public <T> T holding(Duration timeout, Function<WriteLease, T> work) {
        try (WriteLease lease = acquire(timeout)) {
            BackgroundRunner keeper = LockKeeper.start(lease);
            try {
                return work.apply(lease);
            } finally {
                keeper.close();
            }
        }
    }

    /**
     * Ends the hold of another writer. Only for a holder that is known to be dead: what it still sends under that hold is
     * refused from the moment at which this method returns.
     *
     * @param token from {@link LockHolder#breakToken}
     * @return whose hold it was
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when nobody holds the lock, of kind {@link
     *     ErrorKind#CONFLICT} when the token belongs to another hold than the present one; nothing was changed
     */
    public LockHolder breakLock(String token) {
        LockHolder holder = holder().orElseThrow(() -> new OntologiaException(
                ErrorKind.NOT_FOUND, "cannot break the write lock", "nobody holds it", "nothing is to be done"));
        if (!holder.breakToken().equals(token) || !storage.locks().breakHold(holder)) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot break the write lock",
                    "the token does not belong to its present holder '" + holder.ownerId() + "'",
                    "run 'onto lock show' for the present one, and make sure that this holder is dead");
        }
        return holder;
    }

    /** Whether the stored lock cannot be read, and why; no writer can commit until it is replaced. */
    public Optional<LockDamage> damage() {
        return storage.locks().damage();
    }

    /**
     * Replaces a lock that cannot be read by a free one. What its holder still sends is refused from the moment at which this
     * method returns.
     *
     * @param token from {@link LockDamage#breakToken}
     * @return what was replaced
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when the lock can be read, of kind {@link
     *     ErrorKind#CONFLICT} when the token does not belong to what is stored now; nothing was changed
     */
    public LockDamage replaceDamaged(String token) {
        LockDamage damage = damage().orElseThrow(() -> new OntologiaException(
                ErrorKind.NOT_FOUND,
                "cannot replace the write lock",
                "it is not damaged",
                "run 'onto lock show' to see its holder"));
        if (!damage.breakToken().equals(token) || !storage.locks().replaceDamaged(damage)) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot replace the damaged write lock",
                    "the token does not belong to what is stored now",
                    "run 'onto lock show' for the present token");
        }
        return damage;
    }
}
