package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.transfer.ImportRows.Line;
import io.ontologia.cli.internal.transfer.ImportRows.RowId;
import io.ontologia.core.Change;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an import does to each row.
 *
 * @param inserts rows that are new
 * @param updates rows that get other values
 * @param conflicts rows that may not be touched, and why
 * @param changes the first rows that are new or have other values, in the order of the lines
 */
record ImportPlan(List<Row> inserts, List<Row> updates, ImportProblems conflicts, List<Change> changes) {

    /**
     * What the user asked for.
     *
     * @param policy empty to count what differs as conflicts and decide later
     * @param most how many conflicts and changes are listed
     */
    record Wish(Optional<ConflictPolicy> policy, Optional<Precondition> precondition, int most) {}

    /**
     * Compares rows with a store.
     *
     * @param store where they go, without anything pending; empty when it does not exist yet
     */
    static ImportPlan of(ImportRows input, Optional<Session> store, Wish wish) {
        Map<RowId, Line> rows = input.rows();
        Map<RowId, Change> changed =
                store.map(session -> changed(rows, session)).orElseGet(() -> allNew(rows));
        Map<RowId, Long> commits =
                store.map(session -> commits(rows, changed, session, wish)).orElse(Map.of());
        ImportPlan plan = new ImportPlan(
                new ArrayList<>(), new ArrayList<>(), new ImportProblems(wish.most()), new ArrayList<>());
        rows.forEach((id, line) -> plan.add(id, line, changed.get(id), commits.get(id), wish));
        return plan;
    }

    private void add(RowId id, Line line, @Nullable Change change, @Nullable Long commit, Wish wish) {
        OptionalLong storedCommit = commit == null ? OptionalLong.empty() : OptionalLong.of(commit);
        Optional<String> refusal = wish.precondition().flatMap(wanted -> wanted.violation(storedCommit));
        if (refusal.isPresent()) {
            conflict(id, line, refusal.get());
        } else if (change != null && change.operation() == Change.Operation.INSERT) {
            inserts.add(line.row());
            list(change, wish);
        } else if (change != null && !wish.policy().equals(Optional.of(ConflictPolicy.SKIP))) {
            list(change, wish);
            if (wish.policy().equals(Optional.of(ConflictPolicy.UPSERT))) {
                updates.add(line.row());
            } else {
                conflict(
                        id,
                        line,
                        "it exists with other values" + (commit == null ? "" : ", written by commit " + commit));
            }
        }
    }

    private void list(Change change, Wish wish) {
        if (changes.size() < wish.most()) {
            changes.add(change);
        }
    }

    private void conflict(RowId id, Line line, String reason) {
        conflicts.add(line.file(), line.number(), id + ": " + reason);
    }

    /** The rows that the store does not have, or has with other values. */
    private static Map<RowId, Change> changed(Map<RowId, Line> rows, Session store) {
        Map<RowId, Change> changed = new HashMap<>();
        try {
            store.ensureAll(rows.values().stream().map(Line::row));
            for (Change change : store.preview()) {
                changed.put(new RowId(change.type(), change.identity()), change);
            }
        } finally {
            store.discard();
        }
        return changed;
    }

    private static Map<RowId, Change> allNew(Map<RowId, Line> rows) {
        Map<RowId, Change> changed = new LinkedHashMap<>();
        rows.forEach((id, line) -> changed.put(
                id,
                new Change(
                        id.type(),
                        id.identity(),
                        Change.Operation.INSERT,
                        Optional.empty(),
                        line.row().fields())));
        return changed;
    }

    /** The last commits of the rows for which it matters: of all for a precondition, of listed conflicts otherwise. */
    private static Map<RowId, Long> commits(
            Map<RowId, Line> rows, Map<RowId, Change> changed, Session store, Wish wish) {
        if (wish.precondition().isPresent()) {
            return StoredRows.commits(store, rows.keySet());
        }
        if (wish.policy().isPresent() && !wish.policy().equals(Optional.of(ConflictPolicy.ABORT))) {
            return Map.of();
        }
        Set<RowId> listed = new LinkedHashSet<>();
        for (RowId id : rows.keySet()) {
            Change change = changed.get(id);
            if (listed.size() < wish.most()
                    && change != null
                    && change.operation() == Change.Operation.UPDATE_VERSION) {
                listed.add(id);
            }
        }
        return StoredRows.commits(store, listed);
    }

    /** Every row to be written. */
    List<Row> writes() {
        List<Row> writes = new ArrayList<>(inserts);
        writes.addAll(updates);
        return writes;
    }
}
