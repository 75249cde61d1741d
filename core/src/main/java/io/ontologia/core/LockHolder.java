package io.ontologia.core;

import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;

/**
 * Who holds the write lock of a store.
 *
 * @param ownerId the holder's runtime id
 * @param acquiredAt when it took the lock, by its clock
 * @param expiresAt when others may take the lock from it, unless it renews
 */
public record LockHolder(String ownerId, Instant acquiredAt, Instant expiresAt) {

    /** Whether others may take the lock. */
    public boolean hasExpired(Instant now) {
        return !expiresAt.isAfter(now);
    }

    /** Whether the other one is this hold, renewed or not, and not a later one of the same owner. */
    public boolean isSameHold(LockHolder other) {
        return ownerId.equals(other.ownerId) && acquiredAt.equals(other.acquiredAt);
    }

    /** What {@link WriteLock#breakLock} wants to see: stays the same while this holder renews, and fits no other. */
    public String breakToken() {
        return Sha256.hex(ownerId + "\n" + UtcTimestamp.format(acquiredAt)).substring(0, 16);
    }
}
