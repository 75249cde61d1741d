package io.ontologia.store.object.internal.engine;
/** x. */
public record Checksum(long rows, String value) {}
