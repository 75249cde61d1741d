package io.ontologia.objectstore.internal.directory;

import io.ontologia.objectstore.ETag;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * One version of an object's file. Files are never changed in place, so equal values mean the same bytes.
 *
 * @param fileKey device and inode
 * @param modified the file's modification time, which the store sets so that it carries the generation
 */
record FileVersion(Object fileKey, FileTime modified, long size) {

    static FileVersion of(BasicFileAttributes attributes) {
        return new FileVersion(
                Objects.requireNonNullElse(attributes.fileKey(), ""), attributes.lastModifiedTime(), attributes.size());
    }

    /** Microseconds since 1970; strictly increasing from version to version of a key, also across deletes. */
    long generation() {
        return modified.to(TimeUnit.MICROSECONDS);
    }

    Instant lastModified() {
        return modified.toInstant().truncatedTo(ChronoUnit.MICROS);
    }

    ETag etag(long contentHash) {
        return new ETag(HexFormat.of().toHexDigits(contentHash) + suffix());
    }

    /** Whether the ETag is of this generation; tells most other versions apart without hashing the content. */
    boolean mayHave(ETag etag) {
        return etag.value().endsWith(suffix());
    }

    private String suffix() {
        return "-" + generation();
    }
}
