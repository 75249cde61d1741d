package io.ontologia.core.spi;

import io.ontologia.core.HeadMovedException;
import io.ontologia.core.LeaseLostException;
import io.ontologia.core.LockHolder;
import io.ontologia.core.RowRef;
import io.ontologia.core.RowsChangedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What must hold at the moment at which a commit becomes visible. A backend decides it in that same atomic step, never by a
 * check before it.
 *
 * @param lease the hold of the write lock under which the commit is made. When it is no longer the present hold, the commit
 *     is refused with {@link LeaseLostException}
 * @param head the newest commit; 0 for none. When it is another one, the commit is refused with {@link HeadMovedException}
 * @param unchanged rows, and for each the commit since which it must be as it is. When one is not, the commit is refused with
 *     {@link RowsChangedException}
 */
public record CommitConditions(Optional<LockHolder> lease, OptionalLong head, Map<RowRef, Long> unchanged) {
    private static final CommitConditions NONE = new CommitConditions(Optional.empty(), OptionalLong.empty(), Map.of());

    public CommitConditions {
        unchanged = new LinkedHashMap<>(unchanged);
    }

    /** No conditions. */
    public static CommitConditions none() {
        return NONE;
    }

    /** The same, under a hold of the write lock. */
    public CommitConditions under(LockHolder hold) {
        return new CommitConditions(Optional.of(hold), head, unchanged);
    }

    /** The same, directly after a commit. */
    public CommitConditions after(long commitId) {
        return new CommitConditions(lease, OptionalLong.of(commitId), unchanged);
    }

    /** The same, with rows that must not have changed. */
    public CommitConditions whileUnchanged(Map<RowRef, Long> rows) {
        return new CommitConditions(lease, head, rows);
    }

    /** Whether there is no condition. */
    public boolean isEmpty() {
        return lease.isEmpty() && head.isEmpty() && unchanged.isEmpty();
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

    /** Finds one version of a row, on the state that a commit is based on. */
    public interface RowFinder<X extends Exception> {
        /**
         * The version of a row that is in force after a commit; empty when the row is not there then.
         *
         * @param commitId {@link Long#MAX_VALUE} for the newest state
         */
        Optional<StoredRow> at(RowRef row, long commitId) throws X;
    }

    /**
     * Refuses a commit that depends on rows which changed since. A row that is not there, and was not there at that commit, did
     * not change.
     *
     * @throws RowsChangedException naming the first of them
     */
    public <X extends Exception> void requireUnchanged(RowFinder<X> rows) throws X {
        for (Map.Entry<RowRef, Long> expected : unchanged.entrySet()) {
            RowRef row = expected.getKey();
            long since = expected.getValue();
            Optional<StoredRow> now = rows.at(row, Long.MAX_VALUE);
            if (now.isPresent() && now.get().commitId() > since) {
                throw new RowsChangedException(row, since, "commit " + now.get().commitId() + " wrote it");
            }
            if (now.isEmpty() && rows.at(row, since).isPresent()) {
                throw new RowsChangedException(row, since, "it was retracted");
            }
        }
    }
}
