package io.ontologia.core.spi;

import io.ontologia.core.HeadMovedException;
import io.ontologia.core.LeaseLostException;
import io.ontologia.core.LockHolder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What must hold at the moment at which a commit becomes visible. A backend decides it in that same atomic step, never by a
 * check before it.
 *
 * @param lease the hold of the write lock under which the commit is made. When it is no longer the present hold, the commit
 *     is refused with {@link LeaseLostException}
 * @param head the newest commit; 0 for none. When it is another one, the commit is refused with {@link HeadMovedException}
 */
public record CommitConditions(Optional<LockHolder> lease, OptionalLong head) {
    private static final CommitConditions NONE = new CommitConditions(Optional.empty(), OptionalLong.empty());

    /** No conditions. */
    public static CommitConditions none() {
        return NONE;
    }

    /** The same, under a hold of the write lock. */
    public CommitConditions under(LockHolder hold) {
        return new CommitConditions(Optional.of(hold), head);
    }

    /** The same, directly after a commit. */
    public CommitConditions after(long commitId) {
        return new CommitConditions(lease, OptionalLong.of(commitId));
    }

    /** Whether there is no condition. */
    public boolean isEmpty() {
        return lease.isEmpty() && head.isEmpty();
    }

    /**
     * Refuses a commit that would not come directly after the expected one.
     *
     * @param newest the newest commit, 0 for none
     * @throws HeadMovedException when the expected one is another
     */
    public void requireHead(long newest) {
        if (head.isPresent() && head.getAsLong() != newest) {
            throw new HeadMovedException(head.getAsLong(), newest);
        }
    }
}
