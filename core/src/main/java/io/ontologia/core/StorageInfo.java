package io.ontologia.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a store is, what it is, and how much is in it.
 *
 * @param engineVersion the engine below, for example {@code SQLite 3.53.4}
 * @param head the newest commit, 0 when there is none
 * @param bytes the size of each file or group of objects, by name
 * @param rows how many rows each type has, by kind and name; empty unless {@link Detail#ROW_COUNTS} was asked for
 * @param lock the holder of the write lock, also after its lease has expired; empty when the lock is free or damaged
 * @param lockDamage why the write lock cannot be read; empty for a lock in order
 * @param lastIndexWarning what was last found wrong with an index by this process; empty on backends without indices
 */
public record StorageInfo(
        String backend,
        String location,
        String engineVersion,
        long head,
        Map<String, Long> bytes,
        Map<TypeRef, RowCounts> rows,
        Optional<LockHolder> lock,
        Optional<LockDamage> lockDamage,
        Optional<String> lastIndexWarning) {

    /** A store whose write lock is in order. */
    public StorageInfo(
            String backend,
            String location,
            String engineVersion,
            long head,
            Map<String, Long> bytes,
            Map<TypeRef, RowCounts> rows,
            Optional<LockHolder> lock) {
        this(backend, location, engineVersion, head, bytes, rows, lock, Optional.empty(), Optional.empty());
    }

    /** How much to find out. */
    public enum Detail {
        /** What costs next to nothing. */
        BASIC,
        /** Row counts too, which read an index from end to end. */
        ROW_COUNTS
    }

    /**
     * How many rows a type has.
     *
     * @param current rows as they are now
     * @param history versions of rows, all in all
     */
    public record RowCounts(long current, long history) {}

    public StorageInfo {
        bytes = Collections.unmodifiableMap(new LinkedHashMap<>(bytes));
        rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
    }
}
