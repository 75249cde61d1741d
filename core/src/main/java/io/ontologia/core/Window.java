package io.ontologia.core;

/** Which versions of a row a query looks at. */
public sealed interface Window {

    /** The newest version of each row. */
    record Latest() implements Window {}

    /**
     * The newest version of each row as of a commit.
     *
     * @param commitId versions of later commits are not there yet; 0 is the time before the first commit
     */
    record AsOf(long commitId) implements Window {}

    /**
     * Every version, oldest first.
     *
     * @param afterCommitId only versions of later commits than this one; 0 for all
     */
    record History(long afterCommitId) implements Window {}
}
