package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.core.Cascade;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of an import, each with the line it comes from, and every line that is no row. */
final class ImportRows {
    private final Map<RowRef, Line> rows = new LinkedHashMap<>();
    private final ImportProblems problems;
    private Optional<String> hint = Optional.empty();
    private long lines;

    /** What a line asks for and where it stands. */
    record Line(Path file, long number, RowLine.Wish wish) {
        /** The row that shall be so; empty when it shall end. */
        Optional<Row> row() {
            return wish instanceof RowLine.Wish.Ensure ensure ? Optional.of(ensure.row()) : Optional.empty();
        }

        /** Asks a session for it. */
        void ask(Session session, Cascade cascade) {
            if (wish instanceof RowLine.Wish.Ensure ensure) {
                session.ensure(ensure.row());
            } else {
                session.retract(cascade, wish.ref());
            }
        }
    }

    /** What a line must have. */
    enum Check {
        /** Every field that has no default. */
        WHOLE_ROWS,
        /** Some fields: the others come from the store. */
        PARTS
    }

    private ImportRows(ImportProblems problems) {
        this.problems = problems;
    }

    /**
     * Reads everything and checks each row against its type.
     *
     * @param check whether lines name every field that has no default
     * @param trial a session with the types; the rows are discarded from it again
     * @param most how many bad lines are kept; all are counted
     */
    static ImportRows read(ImportFiles files, Session trial, Check check, int most, Output output) {
        ImportRows result = new ImportRows(new ImportProblems(most));
        try (Progress progress = output.progress("reading", files.bytes())) {
            files.forEachLine((file, number, line) -> {
                progress.advance(line.length + 1L);
                result.lines++;
                try {
                    Line read = new Line(file, number, RowLine.read(line));
                    if (check == Check.WHOLE_ROWS || read.row().isEmpty()) {
                        read.ask(trial, Cascade.NONE);
                    }
                    result.put(read);
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

    /** The later of two lines counts, as it does in a session; put in order of the later one. */
    private void put(Line line) {
        rows.remove(line.wish().ref());
        rows.put(line.wish().ref(), line);
    }

    /**
     * The rows with the values that a store has for fields which a line does not name.
     *
     * @param trial a session with the types, to check them; they are discarded from it again
     * @param store where they go; empty when it does not exist yet
     */
    ImportRows merged(Session trial, Optional<Session> store, int most) {
        Map<RowRef, Map<String, @Nullable Object>> stored =
                store.map(session -> StoredRows.fields(session, rows.keySet())).orElse(Map.of());
        ImportRows result = new ImportRows(new ImportProblems(most));
        result.lines = lines;
        try {
            for (Line line : rows.values()) {
                try {
                    Line whole = line.row()
                            .map(row -> new Line(
                                    line.file(),
                                    line.number(),
                                    merged(row, stored.get(line.wish().ref()))))
                            .orElse(line);
                    whole.ask(trial, Cascade.NONE);
                    result.put(whole);
                } catch (OntologiaException e) {
                    result.problems.add(line.file(), line.number(), e.getMessage());
                }
            }
        } finally {
            trial.discard();
        }
        return result;
    }

    private static RowLine.Wish merged(Row row, @Nullable Map<String, @Nullable Object> stored) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(stored == null ? Map.of() : stored);
        fields.putAll(row.fields());
        return new RowLine.Wish.Ensure(
                row instanceof Row.OfRelation relation
                        ? new Row.OfRelation(
                                relation.typeName(),
                                relation.leftKey(),
                                relation.rightKey(),
                                relation.instanceKey(),
                                fields)
                        : new Row.OfEntity(row.type().name(), ((Row.OfEntity) row).key(), fields));
    }

    /** How many lines there were, blank ones aside. */
    long lines() {
        return lines;
    }

    /** The last line of each row. */
    Map<RowRef, Line> rows() {
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
