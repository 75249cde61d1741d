package io.ontologia.cli.internal.output;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line for each value, under each other, and an empty line between rows: for rows that are wider than a terminal. */
final class VerticalLayout implements TableLayout {
    private final List<String> headers;
    private final int width;
    private boolean begun;

    VerticalLayout(List<String> headers) {
        this.headers = List.copyOf(headers);
        this.width = headers.stream().mapToInt(PlainText::width).max().orElse(0);
    }

    @Override
    public List<String> page(List<? extends List<? extends @Nullable Object>> rows, Table.Painter painter) {
        List<String> lines = new ArrayList<>();
        for (List<? extends @Nullable Object> row : rows) {
            if (begun) {
                lines.add("");
            }
            begun = true;
            for (int column = 0; column < headers.size(); column++) {
                Object cell = row.get(column);
                String name = headers.get(column);
                String text = Table.text(cell);
                String shown = cell instanceof Styled styled ? painter.paint(styled.tone(), text) : text;
                lines.add((painter.paint(Tone.HEADING, name) + " ".repeat(width - PlainText.width(name) + 2) + shown)
                        .stripTrailing());
            }
        }
        return lines;
    }
}
