package io.ontologia.objectstore;

/**
 * An object in the place of a lock that cannot be read as one. No writer can take such a lock until it is replaced.
 *
 * @param key where it is
 * @param reason why it cannot be read
 * @param breakToken belongs to exactly these bytes; {@link LeaseLock#breakDamaged} needs it
 */
public record DamagedLock(String key, String reason, String breakToken) {}
