package io.ontologia.cli.internal.output;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lays out rows in columns as wide as their widest cell; columns that hold nothing but numbers are aligned right. Rows may
 * come in pages: each page is laid out at once, at least as wide as those before it.
 */
final class Table {
    private static final String GAP = "  ";

    private final List<String> headers;
    private final int[] widths;
    private boolean begun;

    Table(List<String> headers) {
        this.headers = List.copyOf(headers);
        this.widths = headers.stream().mapToInt(PlainText::width).toArray();
    }

    /** The lines of the next page, without spaces at their ends; the headers stand above the first. */
    List<String> page(List<? extends List<? extends @Nullable Object>> rows, Painter painter) {
        boolean[] numeric = new boolean[headers.size()];
        for (List<? extends @Nullable Object> row : rows) {
            if (row.size() != headers.size()) {
                throw new IllegalArgumentException(
                        "a row of " + row.size() + " cells under " + headers.size() + " headers");
            }
        }
        for (int column = 0; column < widths.length; column++) {
            numeric[column] = !rows.isEmpty();
            for (List<? extends @Nullable Object> row : rows) {
                widths[column] = Math.max(widths[column], PlainText.width(text(row.get(column))));
                numeric[column] &= row.get(column) == null || row.get(column) instanceof Number;
            }
        }
        List<String> lines = new ArrayList<>();
        if (!begun) {
            lines.add(line(
                    headers.stream().map(h -> new Styled(h, Tone.HEADING)).toList(), numeric, painter));
            begun = true;
        }
        for (List<? extends @Nullable Object> row : rows) {
            lines.add(line(row, numeric, painter));
        }
        return lines;
    }

    private String line(List<? extends @Nullable Object> cells, boolean[] numeric, Painter painter) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            Object cell = cells.get(column);
            String text = text(cell);
            String padding = " ".repeat(widths[column] - PlainText.width(text));
            String painted = cell instanceof Styled styled ? painter.paint(styled.tone(), text) : text;
            boolean last = column == widths.length - 1;
            line.append(numeric[column] ? padding + painted : painted + padding).append(last ? "" : GAP);
        }
        return line.toString().stripTrailing();
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
