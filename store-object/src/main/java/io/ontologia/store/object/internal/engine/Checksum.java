package io.ontologia.store.object.internal.engine;

/**
 * What tells whether two sets of files hold the same rows, however they are ordered and divided. The same for all versions of
 * the engine, so it can be kept.
 *
 * @param rows how many
 * @param digest the sums of the two halves of every row's MD5
 */
public record Checksum(long rows, String digest) {}
