package io.ontologia.core;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the commit log.
 *
 * @param id counts from 1, without gaps
 * @param at when it was made, by the writer's clock
 * @param operations how many rows it wrote
 * @param metadata what the writer said about it
 * @param digest over its rows, time, metadata and the digest of the commit before it; empty where none is recorded, which
 *     {@link Maintenance#recordDigests} makes up for
 */
public record CommitInfo(
        long id, Instant at, long operations, Map<String, @Nullable Object> metadata, Optional<String> digest) {
    /** An entry without a recorded digest. */
    public CommitInfo(long id, Instant at, long operations, Map<String, @Nullable Object> metadata) {
        this(id, at, operations, metadata, Optional.empty());
    }

    public CommitInfo {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
