package io.ontologia.core;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the commit log.
 *
 * @param id counts from 1, without gaps
 * @param at when it was made, by the writer's clock
 * @param operations how many rows it wrote
 * @param metadata what the writer said about it
 */
public record CommitInfo(long id, Instant at, long operations, Map<String, @Nullable Object> metadata) {
    public CommitInfo {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
