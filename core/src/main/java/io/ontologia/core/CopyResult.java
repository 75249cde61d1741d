package io.ontologia.core;

/**
 * What was copied from one store to another, and found to be the same there.
 *
 * @param head the newest commit of the copy
 * @param commits how many there are
 * @param types how many types there are or ever were
 * @param rows versions of rows, all in all
 * @param events on the event bus, finished ones included
 */
public record CopyResult(long head, long commits, int types, long rows, long events) {}
