package io.ontologia.core;

/**
 * A write lock that cannot be read, so that no writer can take it. {@link WriteLock#replaceDamaged} makes it usable again.
 *
 * @param location where it is stored
 * @param reason why it cannot be read
 * @param breakToken belongs to exactly what is stored now
 */
public record LockDamage(String location, String reason, String breakToken) {}
