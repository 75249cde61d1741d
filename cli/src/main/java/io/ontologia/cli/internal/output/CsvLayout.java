package io.ontologia.cli.internal.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values as in RFC 4180, with line feeds between records. Values are whole. A missing value is nothing and an empty
 * text is {@code ""}, so that both can be told apart.
 */
final class CsvLayout implements TableLayout {
    private final List<String> headers;
    private final UnaryOperator<String> escape;
    private boolean begun;

    /**
     * @param escape what becomes of a record, for terminals, which must not be steered by data
     */
    CsvLayout(List<String> headers, UnaryOperator<String> escape) {
        this.headers = List.copyOf(headers);
        this.escape = escape;
    }

    @Override
    public List<String> page(List<? extends List<? extends @Nullable Object>> rows, Table.Painter painter) {
        List<String> lines = new ArrayList<>();
        if (!begun) {
            lines.add(record(headers));
            begun = true;
        }
        rows.forEach(row -> lines.add(record(row)));
        return lines;
    }

    private String record(List<? extends @Nullable Object> cells) {
        String record = cells.stream().map(CsvLayout::value).collect(Collectors.joining(","));
        // Readers skip an empty line, which would lose the row.
        return record.isEmpty() ? "\"\"" : escape.apply(record);
    }

    private static String value(@Nullable Object cell) {
        if (cell == null) {
            return "";
        }
        String text = cell.toString();
        boolean plain = !text.isEmpty()
                && text.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ')
                && text.equals(text.strip());
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
