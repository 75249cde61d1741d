package io.ontologia.core.internal;

import io.ontologia.core.Cascade;
import io.ontologia.core.RowRef;
import io.ontologia.core.spi.CommitConditions;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** What a session asked for since its last commit, and what it expects of the store. */
public final class PendingRows {
    private final int most;
    private final Map<RowRef, DesiredRow> rows = new LinkedHashMap<>();
    private final Set<RowRef> cascading = new HashSet<>();
    private final Map<RowRef, Long> unchanged = new LinkedHashMap<>();
    private OptionalLong head = OptionalLong.empty();

    /** @param most how many rows may wait */
    public PendingRows(int most) {
        this.most = most;
    }

    /**
     * Adds a row, in the place of an earlier one with the same identity.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there are too many
     */
    public void add(DesiredRow row) {
        RowRef id = row.ref();
        boolean isNew = rows.put(id, row) == null;
        if (isNew && rows.size() > most) {
            rows.remove(id);
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "too many rows for one commit",
                    "as many are pending as max_batch_size allows, which is " + most,
                    "commit more often, or raise max_batch_size");
        }
        cascading.remove(id);
    }

    /** Adds the wish that a row ends. */
    public void retract(RowRef row, Cascade cascade) {
        add(DesiredRow.retraction(row));
        if (cascade == Cascade.RELATIONS) {
            cascading.add(row);
        }
    }

    /** Expects rows to be as they were at a commit; without rows, that no commit came after it. */
    public void expect(long commitId, List<RowRef> expected) {
        if (expected.isEmpty()) {
            head = OptionalLong.of(commitId);
        }
        expected.forEach(row -> unchanged.merge(row, commitId, Math::min));
    }

    /** Conditions together with what is expected. */
    public CommitConditions conditions(CommitConditions others) {
        CommitConditions all = unchanged.isEmpty() ? others : others.whileUnchanged(unchanged);
        return head.isPresent() && all.head().isEmpty() ? all.after(head.getAsLong()) : all;
    }

    /** How many rows wait. */
    public int size() {
        return rows.size();
    }

    /** Whether no row waits. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The rows, in the order in which they were first asked for. */
    public List<DesiredRow> rows() {
        return new ArrayList<>(rows.values());
    }

    /** The retracted entities whose relations end with them. */
    public Set<RowRef> cascading() {
        return Set.copyOf(cascading);
    }

    /** Forgets everything. */
    public void clear() {
        rows.clear();
        cascading.clear();
        unchanged.clear();
        head = OptionalLong.empty();
    }
}
