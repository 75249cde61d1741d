package io.ontologia.nameservice;

import java.util.List;
import java.util.Optional;

/**
 * The records of schema version 1 that a backend still holds. They can be read like all others and are migrated by the first write; this
 * is for migrating the rest. Safe for use by many threads.
 */
public interface LegacyStore {

    /** The first page. */
    Page first();

    /** The page after one whose {@link Page#next()} was this. */
    Page after(String token);

    /**
     * Migrates one record. Atomic to readers; when it breaks off, readers see the old record and the next call finishes it.
     *
     * @return the record in version 2; empty when there was nothing to migrate
     */
    Optional<NameRecord> migrate(Alias alias);

    /**
     * Some records that were looked at.
     *
     * @param looked how many, of both versions
     * @param legacy those of version 1
     * @param unreadable those that cannot be read
     * @param next what to ask for to get the following page; empty after the last one
     */
    record Page(int looked, List<NameRecord> legacy, List<NamePage.Unreadable> unreadable, Optional<String> next) {
        public Page {
            legacy = List.copyOf(legacy);
            unreadable = List.copyOf(unreadable);
        }
    }
}
