package io.ontologia.objectstore;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An immutable object as a local file, which stays where it is until this is closed, also when the cache evicts the object
 * meanwhile. May be used by many threads.
 */
public final class CachedObject implements AutoCloseable {
    private final Path path;
    private final long length;
    private final Origin origin;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Where the file comes from. */
    public enum Origin {
        /** It was fetched from the store for this. */
        STORE,
        /** It was here already. */
        CACHE
    }

    CachedObject(Path path, long length, Origin origin, Runnable release) {
        this.path = path;
        this.length = length;
        this.origin = origin;
        this.release = release;
    }

    /** The file: to be read, never to be changed, moved or deleted. Others may read the same one. */
    public Path path() {
        return path;
    }

    /** The size of the object in bytes. */
    public long length() {
        return length;
    }

    /** Where it comes from. */
    public Origin origin() {
        return origin;
    }

    /** Gives the file up; it may be gone after this. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
