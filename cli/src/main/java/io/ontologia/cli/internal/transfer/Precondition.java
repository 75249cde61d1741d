package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.UsageError;
import java.util.Optional;
import java.util.OptionalLong;

/** What must be so of every row in the store before an import may touch it. */
sealed interface Precondition {
    /** The row is there. */
    record MustExist() implements Precondition {}

    /** The row is not there. */
    record MustNotExist() implements Precondition {}

    /** The row is there and was last written by this commit. */
    record IfCommitId(long commitId) implements Precondition {}

    static Precondition parse(String text) {
        if (text.equals("must_exist")) {
            return new MustExist();
        }
        if (text.equals("must_not_exist")) {
            return new MustNotExist();
        }
        if (text.matches("if_commit_id:[0-9]{1,18}")) {
            return new IfCommitId(Long.parseLong(text.substring("if_commit_id:".length())));
        }
        throw new UsageError(
                "--precondition is '" + text + "'", "use must_exist, must_not_exist or if_commit_id:N with a number");
    }

    /**
     * Why the precondition does not hold; empty when it does.
     *
     * @param storedCommit the commit that last wrote the row; empty when it is not there
     */
    default Optional<String> violation(OptionalLong storedCommit) {
        if (this instanceof MustNotExist) {
            return storedCommit.isEmpty() ? Optional.empty() : Optional.of("it exists already");
        }
        if (storedCommit.isEmpty()) {
            return Optional.of("it does not exist");
        }
        return this instanceof IfCommitId wanted && wanted.commitId() != storedCommit.getAsLong()
                ? Optional.of("commit " + storedCommit.getAsLong() + " wrote it last, not commit " + wanted.commitId())
                : Optional.empty();
    }
}
