package io.ontologia.objectstore;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** One version of an object, or the part of it that was asked for. */
public final class StoredObject {
    private final byte[] bytes;
    private final ETag etag;
    private final long size;
    private final Instant lastModified;
    private final Instant readAt;

    /**
     * @param bytes what was read; the array is not copied
     * @param etag the version it was read from
     * @param size the size of the whole object, also when only a part was read
     * @param lastModified when this version was written, by the store's clock
     * @param readAt when it was read, by the store's clock
     */
    public StoredObject(byte[] bytes, ETag etag, long size, Instant lastModified, Instant readAt) {
        this.bytes = bytes;
        this.etag = etag;
        this.size = size;
        this.lastModified = lastModified;
        this.readAt = readAt;
    }

    /** What was read; the array itself, not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** What was read, as UTF-8 text. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The version it was read from. */
    public ETag etag() {
        return etag;
    }

    /** The size of the whole object, also when only a part was read. */
    public long size() {
        return size;
    }

    /** When this version was written, by the store's clock. */
    public Instant lastModified() {
        return lastModified;
    }

    /** When it was read, by the store's clock; in a folder that is the clock of this process. */
    public Instant readAt() {
        return readAt;
    }

    @Override
    public String toString() {
        return "StoredObject[" + bytes.length + " of " + size + " bytes, etag " + etag + "]";
    }
}
