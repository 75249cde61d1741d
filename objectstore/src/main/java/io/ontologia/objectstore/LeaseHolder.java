package io.ontologia.objectstore;

import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;

/**
 * Who a lock object names.
 *
 * @param ownerId the holder's own name; two holders may have the same
 * @param acquiredAt when it took the lock, by its clock
 * @param expiresAt when others may take the lock from it
 * @param attemptId what tells this hold from every other, also of the same owner; empty when another implementation wrote
 *     the lock without one
 * @param token larger than that of every earlier hold; 0 when another implementation wrote the lock
 */
public record LeaseHolder(
        String ownerId, Instant acquiredAt, Instant expiresAt, Optional<String> attemptId, long token) {

    /** Whether others may take the lock. */
    public boolean hasExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    /** What {@link LeaseLock#breakLock} wants to see: stays the same while this holder renews, and fits no other. */
    public String breakToken() {
        return Sha256.hex(ownerId + "\n" + UtcTimestamp.format(acquiredAt) + "\n" + attemptId.orElse(""))
                .substring(0, 16);
    }
}
