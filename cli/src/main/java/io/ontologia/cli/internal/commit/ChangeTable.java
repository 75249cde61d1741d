package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Change;
import io.ontologia.kernel.CanonicalJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Changes with their old and new values, for people and programs. */
public final class ChangeTable {
    private static final int WIDEST = 60;

    private ChangeTable() {}

    /** Prints a table with one line for each field that differs. */
    public static void print(List<Change> changes, Output output) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Change change : changes) {
            addRows(change, rows);
        }
        output.table(List.of("type", "row", "change", "field", "old", "new"), rows);
    }

    /** A change as {@code onto diff --json} shows it. */
    public static Map<String, @Nullable Object> document(Change change) {
        Map<String, @Nullable Object> document = CommitDocuments.of(change);
        document.put("old", change.before().orElse(null));
        document.put("new", isEnd(change) ? null : change.after());
        return document;
    }

    /** One row for each field that differs; the row's name only on the first. */
    private static void addRows(Change change, List<List<@Nullable Object>> rows) {
        Map<String, @Nullable Object> before = change.before().orElse(Map.of());
        Set<String> fields = new TreeSet<>(before.keySet());
        fields.addAll(change.after().keySet());
        fields.removeIf(field -> change.before().isPresent()
                && Objects.equals(before.get(field), change.after().get(field)));
        String name = change.type().name();
        String row = change.identity().toString();
        String operation = isEnd(change) ? "ended" : change.before().isPresent() ? "changed" : "new";
        if (fields.isEmpty()) {
            fields.add("");
        }
        for (String field : fields) {
            List<@Nullable Object> cells = new ArrayList<>();
            cells.add(name);
            cells.add(row);
            cells.add(operation);
            cells.add(field);
            cells.add(change.before().isPresent() ? value(before, field) : "");
            cells.add(value(change.after(), field));
            rows.add(cells);
            name = "";
            row = "";
            operation = "";
        }
    }

    private static boolean isEnd(Change change) {
        return change.operation() == Change.Operation.RETRACT;
    }

    private static String value(Map<String, @Nullable Object> fields, String field) {
        if (!fields.containsKey(field)) {
            return "";
        }
        String text = CanonicalJson.write(fields.get(field));
        return text.length() <= WIDEST ? text : text.substring(0, text.offsetByCodePoints(0, WIDEST - 1)) + "…";
    }
}
