package io.ontologia.objectstore;

import java.util.Optional;

/** The one place where a lock object lives: reads and swaps it, nothing else. */
record LockCell(ObjectStore store, String key) {
    LockCell {
        ObjectKey.require(key);
    }

    /** A lock object in one version. */
    record Seen(LockObject object, ETag etag) {}

    Optional<Seen> read() {
        return store.get(key).map(stored -> new Seen(LockObject.parse(key, stored.bytes()), stored.etag()));
    }

    /** Writes the next object over what was seen, or creates it where nothing was seen. */
    PutOutcome swap(Optional<Seen> seen, LockObject next) {
        return seen.isPresent()
                ? store.putIfMatch(key, next.payload(), seen.get().etag())
                : store.putIfAbsent(key, next.payload());
    }

    void deleteIfMatch(ETag etag) {
        store.deleteIfMatch(key, etag);
    }
}
