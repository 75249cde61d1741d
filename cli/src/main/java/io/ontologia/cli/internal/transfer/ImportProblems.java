package io.ontologia.cli.internal.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lines that cannot be imported: how many there are, and the first of them. */
final class ImportProblems {
    private final int most;
    private final List<Problem> first = new ArrayList<>();
    private long count;

    /** A line and what is wrong with it. */
    record Problem(Path file, long line, String reason) {
        Map<String, @Nullable Object> document() {
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
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

    /** @param most how many are kept; all are counted */
    ImportProblems(int most) {
        this.most = most;
    }

    void add(Path file, long line, String reason) {
        count++;
        if (first.size() < most) {
            first.add(new Problem(file, line, reason));
        }
    }

    long count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The first ones, in the order of the lines. */
    List<Problem> first() {
        return first;
    }

    List<Map<String, @Nullable Object>> documents() {
        return first.stream().map(Problem::document).toList();
    }
}
