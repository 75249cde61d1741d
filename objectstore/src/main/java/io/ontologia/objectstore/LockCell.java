package io.ontologia.objectstore;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The one place where a lock object lives: reads and swaps it, nothing else. */
record LockCell(ObjectStore store, String key) {
    LockCell {
        ObjectKey.require(key);
    }

    /**
     * A lock object in one version.
     *
     * @param age how long before it was read it was written, by the store's clock
     */
    record Seen(LockObject object, ETag etag, Duration age) {

        /** What we have just written. */
        static Seen written(LockObject object, ETag etag) {
            return new Seen(object, etag, Duration.ZERO);
        }

        /**
         * Whether any writer may take the lock: it was released, or its time is over by this machine's clock, or by the clock
         * of the store. The last one bounds the time of a holder whose own clock was far ahead.
         */
        boolean isFree(Instant now) {
            return object.isFree(now) || object.isOver(age);
        }
    }

    Optional<Seen> read() {
        return store.get(key).map(this::seen);
    }

    /** The lock object; empty when it is still the version that was seen, or is gone. */
    Optional<Seen> readIfChanged(Seen before) {
        return store.get(key, GetOptions.whole().ifNoneMatch(before.etag())) instanceof GetOutcome.Found found
                ? Optional.of(seen(found.object()))
                : Optional.empty();
    }

    private Seen seen(StoredObject stored) {
        return new Seen(
                LockObject.parse(key, stored.bytes()),
                stored.etag(),
                Duration.between(stored.lastModified(), stored.readAt()));
    }

    /** A stored object that cannot be read as a lock, in one version. */
    record Damaged(DamagedLock lock, ETag etag) {}

    /** What is stored when it cannot be read; empty when it can, or when nothing is stored. */
    Optional<Damaged> damage() {
        return store.get(key).flatMap(stored -> {
            try {
                LockObject.parse(key, stored.bytes());
                return Optional.empty();
            } catch (OntologiaException e) {
                String token = Sha256.hex(stored.bytes()).substring(0, 16);
                return Optional.of(
                        new Damaged(new DamagedLock(key, LockObject.withoutRemedy(e), token), stored.etag()));
            }
        });
    }

    PutOutcome replace(Damaged damaged, LockObject next) {
        return store.putIfMatch(key, next.payload(), damaged.etag());
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
