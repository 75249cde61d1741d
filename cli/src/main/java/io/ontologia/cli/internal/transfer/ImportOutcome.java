package io.ontologia.cli.internal.transfer;

import io.ontologia.core.Change;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of an import.
 *
 * @param lines how many lines there were
 * @param inserts how many rows are new
 * @param updates how many rows got other values
 * @param retractions how many rows ended
 * @param conflicts the rows that may not be touched, and why
 * @param changes the first rows that are new or have other values; empty when the import was applied
 * @param commit the commit that was made
 * @param missing what a complete import ends
 */
record ImportOutcome(
        Status status,
        long lines,
        long inserts,
        long updates,
        long retractions,
        ImportProblems conflicts,
        List<Change> changes,
        Optional<Long> commit,
        CompleteState.Missing missing) {

    /** How it ended. */
    enum Status {
        DRY_RUN,
        APPLIED,
        CONFLICT;

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static ImportOutcome of(Status status, ImportRows rows, ImportPlan plan, Optional<Long> commit) {
        return new ImportOutcome(
                status,
                rows.lines(),
                plan.inserts().size(),
                plan.updates().size(),
                plan.retractions().size(),
                plan.conflicts(),
                status == Status.DRY_RUN ? plan.changes() : List.of(),
                commit,
                plan.missing());
    }

    /** How many rows are new, have other values or end. */
    long differing() {
        return inserts + updates + retractions + conflicts.count();
    }

    /** Lines that change nothing: the row is so already, stays as it is, or a later line has it too. */
    long skipped() {
        return Math.max(0, lines - inserts - updates - retractedByLines() - conflicts.count());
    }

    private long retractedByLines() {
        return Math.max(0, retractions - missing.retracted());
    }
}
