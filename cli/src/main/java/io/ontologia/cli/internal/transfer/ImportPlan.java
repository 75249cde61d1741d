package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.transfer.ImportRows.Line;
import io.ontologia.cli.internal.transfer.ImportRows.Problem;
import io.ontologia.cli.internal.transfer.ImportRows.RowId;
import io.ontologia.core.Change;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What an import does to each row.
 *
 * @param inserts rows that are new
 * @param updates rows that get other values
 * @param conflicts rows that may not be touched, and why
 */
record ImportPlan(List<Row> inserts, List<Row> updates, List<Problem> conflicts) {

    /**
     * Compares rows with a store.
     *
     * @param store where they go; empty when it does not exist yet
     * @param trial a store of its own with the same types, to find out what differs by the engine's own rules
     * @param policy empty to count what differs as conflicts and decide later
     */
    static ImportPlan of(
            ImportRows input,
            Optional<Session> store,
            Session trial,
            Optional<ConflictPolicy> policy,
            Optional<Precondition> precondition) {
        Map<RowId, Line> rows = input.rows();
        Map<RowId, Long> stored =
                store.map(session -> StoredRows.commits(session, rows.keySet())).orElse(Map.of());
        Set<RowId> changed = store.map(session -> changed(rows, stored.keySet(), session, trial))
                .orElse(Set.of());
        List<Row> inserts = new ArrayList<>();
        List<Row> updates = new ArrayList<>();
        List<Problem> conflicts = new ArrayList<>();
        rows.forEach((id, line) -> {
            Long commit = stored.get(id);
            OptionalLong storedCommit = commit == null ? OptionalLong.empty() : OptionalLong.of(commit);
            Optional<String> refusal = precondition.flatMap(wanted -> wanted.violation(storedCommit));
            if (refusal.isPresent()) {
                conflicts.add(conflict(id, line, refusal.get()));
            } else if (storedCommit.isEmpty()) {
                inserts.add(line.row());
            } else if (changed.contains(id)) {
                if (policy.equals(Optional.of(ConflictPolicy.UPSERT))) {
                    updates.add(line.row());
                } else if (!policy.equals(Optional.of(ConflictPolicy.SKIP))) {
                    conflicts.add(conflict(
                            id, line, "it exists with other values, written by commit " + storedCommit.getAsLong()));
                }
            }
        });
        return new ImportPlan(inserts, updates, conflicts);
    }

    private static Problem conflict(RowId id, Line line, String reason) {
        return new Problem(line.file(), line.number(), id + ": " + reason);
    }

    /** Which of the stored rows the import would give other values. */
    private static Set<RowId> changed(Map<RowId, Line> rows, Set<RowId> stored, Session store, Session trial) {
        Set<RowId> changed = new HashSet<>();
        Map<RowId, Row> comparable = new LinkedHashMap<>();
        StoredRows.forEachRow(store, stored, row -> {
            RowId id = RowId.of(row);
            try {
                trial.ensure(row);
                comparable.put(id, Objects.requireNonNull(rows.get(id)).row());
            } catch (OntologiaException e) {
                // What does not fit its type any more is not what the import holds, which does.
                changed.add(id);
            }
        });
        trial.commit();
        trial.ensureAll(comparable.values());
        for (Change change : trial.preview()) {
            changed.add(new RowId(change.type(), change.identity()));
        }
        trial.discard();
        return changed;
    }

    /** Every row to be written. */
    List<Row> writes() {
        List<Row> writes = new ArrayList<>(inserts);
        writes.addAll(updates);
        return writes;
    }
}
