package io.ontologia.core;

/**
 * What a clean-up removes.
 *
 * @param events how many events
 * @param claims how many claims on them
 */
public record EventCleanup(long events, long claims) {}
