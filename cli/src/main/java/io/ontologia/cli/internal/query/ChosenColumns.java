package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.UsageError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which columns of a table are shown, and in which order. */
final class ChosenColumns {
    private final List<String> headers;
    private final List<Integer> positions = new ArrayList<>();

    /**
     * @param headers all columns
     * @param chosen those that are shown, by name; none for all
     */
    ChosenColumns(List<String> headers, List<String> chosen) {
        this.headers = List.copyOf(headers);
        for (String name : chosen.isEmpty() ? headers : chosen) {
            int position = position(name.strip());
            if (position < 0) {
                throw new UsageError(
                        "--columns names '" + name.strip() + "', which the table does not have",
                        "choose from " + String.join(", ", headers));
            }
            positions.add(position);
        }
    }

    /** Names of two words may be written with an underscore, as in JSON. */
    private int position(String name) {
        int position = headers.indexOf(name);
        return position < 0 ? headers.indexOf(name.replace('_', ' ')) : position;
    }

    List<String> headers() {
        return positions.stream().map(headers::get).toList();
    }

    /** The shown cells of a row. */
    List<@Nullable Object> cells(List<? extends @Nullable Object> row) {
        List<@Nullable Object> shown = new ArrayList<>(positions.size());
        positions.forEach(position -> shown.add(row.get(position)));
        return shown;
    }
}
