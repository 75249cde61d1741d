package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.commit.ChangeTable;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints what came of an import. */
final class ImportReport {
    private final String input;
    private final Output output;

    /** @param input what was to be imported */
    ImportReport(String input, Output output) {
        this.input = input;
        this.output = output;
    }

    /** What to throw when lines are bad; the first ones are listed. */
    CommandFailure badLines(ImportRows rows) {
        ImportProblems problems = rows.problems();
        list("bad line:", problems);
        String lines = rows.lines() == 1 ? " line is" : " lines are";
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("problems", problems.documents());
        details.put("problem_count", problems.count());
        rows.hint().ifPresent(hint -> details.put("hint", hint));
        return refused(
                ErrorKind.INVALID_INPUT,
                problems.count() + " of " + rows.lines() + lines + " bad, and nothing was written",
                rows.hint().orElse("correct them and try again"),
                details);
    }

    ExitCode print(ImportOutcome outcome) {
        boolean conflict = outcome.status() == ImportOutcome.Status.CONFLICT;
        if (output.format() == Output.Format.JSON) {
            output.json(document(outcome));
        } else if (conflict) {
            throw conflicts(outcome.conflicts());
        } else {
            printTable(outcome);
        }
        return conflict ? ExitCode.IMPORT_REFUSED : ExitCode.SUCCESS;
    }

    private CommandFailure conflicts(ImportProblems conflicts) {
        list("conflict:", conflicts);
        return refused(
                ErrorKind.CONFLICT,
                (conflicts.count() == 1
                                ? "1 row is not as the import wants it"
                                : conflicts.count() + " rows are not as the import wants them")
                        + ", and nothing was written",
                "look at the lines above, or choose another --on-conflict or --precondition",
                Map.of());
    }

    private void list(String label, ImportProblems problems) {
        if (output.format() == Output.Format.TEXT) {
            problems.first().forEach(problem -> output.diagnostic(label, Tone.BAD, problem.toString()));
            long more = problems.count() - problems.first().size();
            if (more > 0) {
                output.diagnostic(label, Tone.BAD, "and " + more + " more; --all lists them");
            }
        }
    }

    private CommandFailure refused(ErrorKind kind, String cause, String remedy, Map<String, ?> details) {
        return new CommandFailure(
                ExitCode.IMPORT_REFUSED,
                new OntologiaException(kind, "cannot import " + input, cause, remedy, details, null));
    }

    private static Map<String, Object> document(ImportOutcome outcome) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("status", outcome.status().wireName());
        document.put("total_records", outcome.lines());
        document.put("inserts", outcome.inserts());
        document.put("updates", outcome.updates());
        document.put("retractions", outcome.retractions());
        document.put("skipped", outcome.skipped());
        document.put("conflicts", outcome.conflicts().count());
        outcome.commit().ifPresent(id -> document.put("commit_id", id));
        if (outcome.missing().isTooMany()) {
            document.put("allow_retract", outcome.missing().retracted());
        }
        if (!outcome.conflicts().isEmpty()) {
            document.put("problems", outcome.conflicts().documents());
        }
        if (outcome.status() == ImportOutcome.Status.DRY_RUN) {
            document.put(
                    "changes",
                    outcome.changes().stream().map(ChangeTable::document).toList());
        }
        return document;
    }

    private void printChanges(ImportOutcome outcome) {
        if (!outcome.changes().isEmpty()) {
            ChangeTable.print(outcome.changes(), output);
            long more = outcome.differing() - outcome.changes().size();
            output.line(more > 0 ? "and " + more + " more rows; --all lists them\n" : "");
        }
    }

    private void printTable(ImportOutcome outcome) {
        boolean ends = outcome.retractions() > 0 || outcome.missing().present() > 0;
        List<@Nullable Object> cells = new ArrayList<>();
        cells.add(outcome.lines());
        cells.add(outcome.inserts());
        cells.add(outcome.updates());
        if (ends) {
            cells.add(outcome.retractions());
        }
        cells.add(outcome.skipped());
        cells.add(outcome.conflicts().count());
        cells.add(outcome.commit().orElse(null));
        printChanges(outcome);
        List<String> headers = new ArrayList<>(List.of("records", "inserts", "updates"));
        if (ends) {
            headers.add("retractions");
        }
        headers.addAll(List.of("skipped", "conflicts", "commit"));
        output.table(headers, List.of(cells));
        if (outcome.status() == ImportOutcome.Status.APPLIED) {
            if (outcome.commit().isEmpty()) {
                output.line("everything was so already; there is no new commit");
            }
        } else if (outcome.missing().isTooMany()) {
            output.line("nothing was written; " + outcome.missing().retracted() + " of "
                    + outcome.missing().present() + " rows would end, so --apply needs --allow-retract "
                    + outcome.missing().retracted());
        } else if (outcome.conflicts().isEmpty()) {
            output.line("nothing was written; add --apply with --on-conflict to do it");
        } else {
            output.line("nothing was written; some rows exist with other values, so choose with --on-conflict");
        }
    }
}
