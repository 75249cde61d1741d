package io.ontologia.core;

import java.time.Instant;

/** What became of a commit. */
public sealed interface CommitResult {

    /**
     * The changes are stored and visible to everybody.
     *
     * @param inserted how many rows are new, or are back after they had ended
     * @param updated how many rows got another version
     * @param retracted how many rows ended
     */
    record Committed(long commitId, Instant at, long inserted, long updated, long retracted) implements CommitResult {
        /** A commit that retracted nothing. */
        public Committed(long commitId, Instant at, long inserted, long updated) {
            this(commitId, at, inserted, updated, 0);
        }
    }

    /**
     * Everything was already so; no commit was made.
     *
     * @param head the newest commit, 0 when there is none
     */
    record NothingToDo(long head) implements CommitResult {}
}
