package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a query found, with what the store knows about it. In a history, a version can be the end of a row: the commit that
 * retracted it. Such a version has no value.
 *
 * @param value the entity or relation; null for the end of a row
 * @param commitId the commit that wrote this version
 * @param commit the log entry of that commit, with its time and metadata, where {@link Query#withCommits} asked for it
 */
public record Result<T>(@Nullable T value, Identity identity, long commitId, Optional<CommitInfo> commit) {
    /** A result without the log entry of its commit. */
    public Result(@Nullable T value, Identity identity, long commitId) {
        this(value, identity, commitId, Optional.empty());
    }

    /** The same with the log entry of its commit. */
    Result<T> with(Optional<CommitInfo> entry) {
        return new Result<>(value, identity, commitId, entry);
    }

    /** The end of a row. */
    public static <T> Result<T> ended(Identity identity, long commitId) {
        return new Result<>(null, identity, commitId);
    }

    /** Whether this version is the end of the row. Only histories have such versions. */
    public boolean isEnd() {
        return value == null;
    }

    /**
     * The entity or relation.
     *
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} for the end of a row; see {@link #isEnd}
     */
    @Override
    public T value() {
        T present = value;
        if (present == null) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "'" + identity + "' has no value in this version",
                    "commit " + commitId + " retracted it",
                    "ask isEnd() first");
        }
        return present;
    }
}
