package io.ontologia.cli.internal.transfer;

/** What becomes of rows that are in the store with other values than in the import. */
enum ConflictPolicy {
    /** Nothing is imported at all. */
    ABORT,
    /** The store's values stay. */
    SKIP,
    /** They get the import's values. */
    UPSERT
}
