package io.ontologia.cli.internal.output;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lays out rows in columns as wide as their widest cell; columns that hold nothing but numbers are aligned right. Rows may
 * come in pages: each page is laid out at once, at least as wide as those before it. Where there is a limit, the widest columns of texts are
 * cut until the lines fit, but not below a few letters, and no number is cut.
 */
final class Table implements TableLayout {
    private static final String GAP = "  ";
    private static final int NARROWEST = 8;

    private final List<String> headers;
    private final int[] widths;
    private final int limit;
    private boolean begun;
    private boolean cut;
    private boolean overflows;

    /** A table that may have any width. */
    Table(List<String> headers) {
        this(headers, Integer.MAX_VALUE);
    }

    /**
     * @param limit how many columns of a terminal a line may take
     */
    Table(List<String> headers, int limit) {
        this.headers = List.copyOf(headers);
        this.widths = headers.stream().mapToInt(PlainText::width).toArray();
        this.limit = limit;
    }

    /** The lines of the next page, without spaces at their ends; the headers stand above the first. */
    @Override
    public List<String> page(List<? extends List<? extends @Nullable Object>> rows, Painter painter) {
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
        int[] fitting = fitting(numeric);
        List<String> lines = new ArrayList<>();
        if (!begun) {
            lines.add(line(
                    headers.stream().map(h -> new Styled(h, Tone.HEADING)).toList(), numeric, fitting, painter));
            begun = true;
        }
        for (List<? extends @Nullable Object> row : rows) {
            lines.add(line(row, numeric, fitting, painter));
        }
        return lines;
    }

    @Override
    public String remark() {
        if (overflows) {
            return "the table is wider than the terminal; choose with --columns, or see --vertical";
        }
        return cut ? "long values are cut to fit the terminal; --vertical shows them whole" : "";
    }

    /** The widths of columns with which a line fits: the widest are made narrower, one by one. */
    private int[] fitting(boolean[] numeric) {
        int[] fitting = widths.clone();
        long excess = -(long) limit + (long) GAP.length() * (widths.length - 1);
        for (int width : widths) {
            excess += width;
        }
        while (excess > 0) {
            int widest = -1;
            for (int column = 0; column < fitting.length; column++) {
                if (!numeric[column]
                        && fitting[column] > NARROWEST
                        && (widest < 0 || fitting[column] > fitting[widest])) {
                    widest = column;
                }
            }
            if (widest < 0) {
                overflows = true;
                return widths.clone();
            }
            fitting[widest]--;
            excess--;
        }
        return fitting;
    }

    private String line(List<? extends @Nullable Object> cells, boolean[] numeric, int[] fitting, Painter painter) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < fitting.length; column++) {
            Object cell = cells.get(column);
            String whole = text(cell);
            String text = PlainText.cut(whole, fitting[column]);
            cut |= !text.equals(whole);
            String padding = " ".repeat(fitting[column] - PlainText.width(text));
            String painted = cell instanceof Styled styled ? painter.paint(styled.tone(), text) : text;
            boolean last = column == fitting.length - 1;
            line.append(numeric[column] ? padding + painted : painted + padding).append(last ? "" : GAP);
        }
        return line.toString().stripTrailing();
    }

    /** A cell on one line. */
    static String text(@Nullable Object cell) {
        return cell == null ? "-" : PlainText.escaped(cell.toString());
    }

    /** Colours a text, or leaves it as it is. */
    @FunctionalInterface
    interface Painter {
        String paint(Tone tone, String text);
    }
}
