package io.ontologia.cli.internal.output;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lays out rows in columns as wide as their widest cell; columns that hold nothing but numbers are aligned right. */
final class Table {
    private static final String GAP = "  ";

    private final List<String> headers;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    Table(List<String> headers, List<? extends List<? extends @Nullable Object>> rows) {
        this.headers = List.copyOf(headers);
        for (List<? extends @Nullable Object> row : rows) {
            if (row.size() != headers.size()) {
                throw new IllegalArgumentException(
                        "a row of " + row.size() + " cells under " + headers.size() + " headers");
            }
            this.rows.add(new ArrayList<>(row));
        }
    }

    /** The lines of the table, the headers first, without spaces at their ends. */
    List<String> lines(Painter painter) {
        int[] widths = new int[headers.size()];
        boolean[] numeric = new boolean[headers.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = PlainText.width(headers.get(column));
            numeric[column] = !rows.isEmpty();
            for (List<@Nullable Object> row : rows) {
                widths[column] = Math.max(widths[column], PlainText.width(text(row.get(column))));
                numeric[column] &= row.get(column) == null || row.get(column) instanceof Number;
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(line(headers.stream().map(h -> new Styled(h, Tone.HEADING)).toList(), widths, numeric, painter));
        for (List<@Nullable Object> row : rows) {
            lines.add(line(row, widths, numeric, painter));
        }
        return Collections.unmodifiableList(lines);
    }

    private static String line(
            List<? extends @Nullable Object> cells, int[] widths, boolean[] numeric, Painter painter) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            Object cell = cells.get(column);
            String text = text(cell);
            String padding = " ".repeat(widths[column] - PlainText.width(text));
            String painted = cell instanceof Styled styled ? painter.paint(styled.tone(), text) : text;
            boolean last = column == widths.length - 1;
            line.append(numeric[column] ? padding + painted : painted + (last ? "" : padding));
            line.append(last ? "" : GAP);
        }
        return line.toString();
    }

    private static String text(@Nullable Object cell) {
        return cell == null ? "-" : PlainText.escaped(cell.toString());
    }

    /** Colours a text, or leaves it as it is. */
    @FunctionalInterface
    interface Painter {
        String paint(Tone tone, String text);
    }
}
