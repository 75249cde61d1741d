package io.ontologia.nameservice;

/** What a soft lock is for. Each kind has a lock of its own in the status of a record. */
public enum LockKind {
    /** Building an index in the background. */
    INDEX("index_lock", "indexing"),
    /** Rebuilding an index from scratch. */
    REINDEX("reindex_lock", "reindexing"),
    /** Moving data or schema. */
    MIGRATION("migration_lock", "migrating");

    private final String field;
    private final String state;

    LockKind(String field, String state) {
        this.field = field;
        this.state = state;
    }

    /** The field of the status that holds the lock. */
    public String field() {
        return field;
    }

    /** The state that a record is in while the lock is held. */
    public String state() {
        return state;
    }
}
