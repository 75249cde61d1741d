package io.ontologia.objectstore;

import java.time.Instant;

/**
 * What a listing tells of an object.
 *
 * @param size in bytes
 * @param lastModified when it was last written, by the store's clock
 */
public record ObjectSummary(String key, long size, Instant lastModified) {}
