package io.ontologia.cli.internal.transfer;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of an import.
 *
 * @param lines how many lines there were
 * @param inserts how many rows are new
 * @param updates how many rows got other values
 * @param conflicts the rows that may not be touched, and why
 * @param commit the commit that was made
 */
record ImportOutcome(
        Status status,
        long lines,
        long inserts,
        long updates,
        List<ImportRows.Problem> conflicts,
        Optional<Long> commit) {

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
                status, rows.lines(), plan.inserts().size(), plan.updates().size(), plan.conflicts(), commit);
    }

    /** Lines that change nothing: the row is so already, stays as it is, or a later line has it too. */
    long skipped() {
        return lines - inserts - updates - conflicts.size();
    }
}
