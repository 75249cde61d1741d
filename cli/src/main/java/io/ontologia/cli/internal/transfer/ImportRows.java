package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.core.Identity;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows of an import, each with the line it comes from, and every line that is no row. */
final class ImportRows {
    private final Map<RowId, Line> rows = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();
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

    /** A line and what is wrong with it. */
    record Problem(Path file, long line, String reason) {
        Map<String, Object> document() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("file", file.toString());
            document.put("line", line);
            document.put("reason", reason);
            return document;
        }

        @Override
        public String toString() {
            return file + ":" + line + ": " + reason;
        }
    }

    private ImportRows() {}

    /**
     * Reads everything and checks each row against its type.
     *
     * @param trial a session with the types, which forgets the rows again
     */
    static ImportRows read(ImportFiles files, Session trial, Output output) {
        ImportRows result = new ImportRows();
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
                    result.problems.add(new Problem(file, number, e.getMessage()));
                }
            });
        }
        trial.discard();
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

    /** What is wrong, line by line. */
    List<Problem> problems() {
        return problems;
    }
}
