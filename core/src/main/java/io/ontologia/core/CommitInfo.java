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
    /** The key of the metadata under which a commit records its author. */
    public static final String AUTHOR = "author";

    /** The key of the metadata under which a commit records why it was made. */
    public static final String REASON = "reason";

    /** An entry without a recorded digest. */
    public CommitInfo(long id, Instant at, long operations, Map<String, @Nullable Object> metadata) {
        this(id, at, operations, metadata, Optional.empty());
    }

    public CommitInfo {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /** The author that the commit records: a claim of the writer, not a proof. */
    public Optional<String> author() {
        return text(AUTHOR);
    }

    /** Why the commit was made, as far as the writer recorded it. */
    public Optional<String> reason() {
        return text(REASON);
    }

    private Optional<String> text(String key) {
        return metadata.get(key) instanceof String text && !text.isBlank() ? Optional.of(text) : Optional.empty();
    }
}
