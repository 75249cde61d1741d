package io.ontologia.store.object.internal.layout;

import java.util.Set;

/**
 * How large an object may be that is read into memory, by its kind. Each limit is many times what a large store needs: a store
 * may come from anybody, and an object of some gigabytes would end every process that opens the store.
 */
public final class ObjectSizes {
    private static final long KB = 1 << 10;
    private static final long MB = 1 << 20;

    private static final Set<String> SMALL = Set.of(Keys.HEAD, Keys.LOCK, Keys.ENGINE, Keys.RESTORE);

    private ObjectSizes() {}

    /** The limit for the object under a key, in bytes. */
    public static long most(String key) {
        if (SMALL.contains(key)) {
            return 64 * KB;
        }
        if (key.equals(Keys.TYPES) || key.equals(Keys.DROPPED)) {
            return 16 * MB;
        }
        if (key.endsWith(".parquet")) {
            // Rows are never held in memory as a whole.
            return Long.MAX_VALUE;
        }
        if (key.startsWith(EventKeys.CLAIMS) || key.startsWith(EventKeys.SESSIONS)) {
            return 4 * MB;
        }
        // Schemas, versions, indices, manifests with their events, descriptors with their sources, events, dead
        // letters.
        return 64 * MB;
    }
}
