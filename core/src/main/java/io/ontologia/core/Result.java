package io.ontologia.core;

import java.util.Optional;

/**
 * What a query found, with what the store knows about it.
 *
 * @param value the entity or relation
 * @param commitId the commit that wrote this version
 * @param commit the log entry of that commit, with its time and metadata, where {@link Query#withCommits} asked for it
 */
public record Result<T>(T value, Identity identity, long commitId, Optional<CommitInfo> commit) {
    /** A result without the log entry of its commit. */
    public Result(T value, Identity identity, long commitId) {
        this(value, identity, commitId, Optional.empty());
    }
}
