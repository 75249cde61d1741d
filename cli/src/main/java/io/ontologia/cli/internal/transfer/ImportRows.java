package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.core.Identity;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The rows of an import, each with the line it comes from, and every line that is no row. */
final class ImportRows {
    private final Map<RowId, Line> rows = new LinkedHashMap<>();
    private final ImportProblems problems;
    private Optional<String> hint = Optional.empty();
    private long lines;

    /** What tells rows apart. */
    record RowId(TypeRef type, Identity identity) {
        static RowId of(Row row) {
            return new RowId(row.type(), row.identity());
        }

        @Override
        public String toString() {
            return type + " '" + identity + "'";
        }
    }

    /** A row and where it stands. */
    record Line(Path file, long number, Row row) {}

    private ImportRows(ImportProblems problems) {
        this.problems = problems;
    }

    /**
     * Reads everything and checks each row against its type.
     *
     * @param trial a session with the types; the rows are discarded from it again
     * @param most how many bad lines are kept; all are counted
     */
    static ImportRows read(ImportFiles files, Session trial, int most, Output output) {
        ImportRows result = new ImportRows(new ImportProblems(most));
        try (Progress progress = output.progress("reading", files.bytes())) {
            files.forEachLine((file, number, line) -> {
                progress.advance(line.length + 1L);
                result.lines++;
                try {
                    Row row = RowLine.read(line);
                    RowId id = RowId.of(row);
                    trial.ensure(row);
                    // The later of two lines counts, as it does in a session; put in order of the later one.
                    result.rows.remove(id);
                    result.rows.put(id, new Line(file, number, row));
                } catch (OntologiaException e) {
                    if (result.problems.isEmpty() && result.rows.isEmpty()) {
                        result.hint = InputHint.of(file, line);
                    }
                    result.problems.add(file, number, e.getMessage());
                }
            });
        } finally {
            trial.discard();
        }
        return result;
    }

    /** How many lines there were, blank ones aside. */
    long lines() {
        return lines;
    }

    /** The last line of each row. */
    Map<RowId, Line> rows() {
        return rows;
    }

    /** The lines that are no rows. */
    ImportProblems problems() {
        return problems;
    }

    /** What the input seems to be instead of lines of JSON. */
    Optional<String> hint() {
        return hint;
    }
}
