package io.ontologia.core;

import java.time.Instant;

/** What became of a commit. */
public sealed interface CommitResult {

    /**
     * The changes are stored and visible to everybody.
     *
     * @param inserted how many rows are new
     * @param updated how many rows got another version
     */
    record Committed(long commitId, Instant at, long inserted, long updated) implements CommitResult {}

    /**
     * Everything was already so; no commit was made.
     *
     * @param head the newest commit, 0 when there is none
     */
    record NothingToDo(long head) implements CommitResult {}
}
