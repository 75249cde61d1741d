package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.transfer.ImportRows.Line;
import io.ontologia.core.Cascade;
import io.ontologia.core.Change;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import java.util.ArrayList;
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
 * @param retractions rows that end
 * @param conflicts rows that may not be touched, and why
 * @param changes the first rows that are new, have other values or end, in the order of the lines
 * @param missing what a complete import ends
 */
record ImportPlan(
        List<Row> inserts,
        List<Row> updates,
        List<RowRef> retractions,
        ImportProblems conflicts,
        List<Change> changes,
        CompleteState.Missing missing) {

    /**
     * What the user asked for.
     *
     * @param policy empty to count what differs as conflicts and decide later
     * @param complete what the input has all of
     * @param cascade what happens to relations of entities that end
     * @param merges whether fields that a line does not name keep their values
     * @param most how many conflicts and changes are listed
     */
    record Wish(
            Optional<ConflictPolicy> policy,
            Optional<Precondition> precondition,
            CompleteState complete,
            Cascade cascade,
            boolean merges,
            int most) {}

    /** What would change, and what a complete import ends. */
    private record Compared(Map<RowRef, Change> changes, CompleteState.Missing missing) {}

    /**
     * Compares rows with a store.
     *
     * @param store where they go, without anything pending; empty when it does not exist yet
     */
    static ImportPlan of(ImportRows input, Optional<Session> store, Wish wish) {
        Map<RowRef, Line> rows = input.rows();
        Compared compared = store.map(session -> compared(rows, session, wish))
                .orElseGet(() -> new Compared(allNew(rows), CompleteState.Missing.NONE));
        Map<RowRef, Change> changed = compared.changes();
        Map<RowRef, Long> commits =
                store.map(session -> commits(rows, changed, session, wish)).orElse(Map.of());
        ImportPlan plan = new ImportPlan(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ImportProblems(wish.most()),
                new ArrayList<>(),
                compared.missing());
        rows.forEach((id, line) -> plan.add(id, line, changed.get(id), commits.get(id), wish));
        changed.forEach((id, change) -> {
            if (!rows.containsKey(id)) {
                plan.retractions.add(id);
                plan.list(change, wish);
            }
        });
        return plan;
    }

    private void add(RowRef id, Line line, @Nullable Change change, @Nullable Long commit, Wish wish) {
        OptionalLong storedCommit = commit == null ? OptionalLong.empty() : OptionalLong.of(commit);
        Optional<String> refusal = wish.precondition().flatMap(wanted -> wanted.violation(storedCommit));
        if (refusal.isPresent()) {
            conflict(id, line, refusal.get());
        } else if (change != null && change.operation() == Change.Operation.RETRACT) {
            retractions.add(id);
            list(change, wish);
        } else if (change != null && change.operation() == Change.Operation.INSERT) {
            inserts.add(line.row().orElseThrow());
            list(change, wish);
        } else if (change != null && !wish.policy().equals(Optional.of(ConflictPolicy.SKIP))) {
            list(change, wish);
            if (wish.policy().equals(Optional.of(ConflictPolicy.UPSERT))) {
                updates.add(line.row().orElseThrow());
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

    private void conflict(RowRef id, Line line, String reason) {
        conflicts.add(line.file(), line.number(), id + ": " + reason);
    }

    /** The rows that the store does not have, has with other values, or has and shall not have. */
    private static Compared compared(Map<RowRef, Line> rows, Session store, Wish wish) {
        Map<RowRef, Change> changed = new LinkedHashMap<>();
        try {
            rows.values().forEach(line -> line.ask(store, wish.cascade()));
            CompleteState.Missing missing = wish.complete().retract(store, rows::containsKey, wish.cascade());
            for (Change change : store.preview()) {
                changed.put(new RowRef(change.type(), change.identity()), change);
            }
            return new Compared(changed, missing);
        } finally {
            store.discard();
        }
    }

    private static Map<RowRef, Change> allNew(Map<RowRef, Line> rows) {
        Map<RowRef, Change> changed = new LinkedHashMap<>();
        rows.forEach((id, line) -> line.row()
                .ifPresent(row -> changed.put(
                        id,
                        new Change(
                                id.type(), id.identity(), Change.Operation.INSERT, Optional.empty(), row.fields()))));
        return changed;
    }

    /** The last commits of the rows for which it matters: of all for a precondition, of listed conflicts otherwise. */
    private static Map<RowRef, Long> commits(
            Map<RowRef, Line> rows, Map<RowRef, Change> changed, Session store, Wish wish) {
        if (wish.precondition().isPresent()) {
            return StoredRows.commits(store, rows.keySet());
        }
        if (wish.policy().isPresent() && !wish.policy().equals(Optional.of(ConflictPolicy.ABORT))) {
            return Map.of();
        }
        Set<RowRef> listed = new LinkedHashSet<>();
        for (RowRef id : rows.keySet()) {
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
