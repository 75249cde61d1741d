package io.ontologia.core.spi;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins long runs of comparisons of one field: that one of many values equals it is one test of a list, which costs an engine
 * next to nothing, and so is that none of them does.
 */
final class EqualTests {
    /** Fewer are left as they are: engines skip what cannot match by single comparisons. */
    private static final int FEWEST = 20;

    private EqualTests() {}

    /**
     * The same alternatives with {@code EQ}, or the same conditions with {@code NE}, in fewer parts.
     *
     * @param op what is joined
     */
    static List<Filter> merged(List<Filter> parts, Filter.Op op) {
        if (parts.size() < FEWEST) {
            return parts;
        }
        List<Filter> others = new ArrayList<>();
        Map<FieldPath, List<Filter.At>> byPath = new LinkedHashMap<>();
        for (Filter part : parts) {
            if (part instanceof Filter.At at && at.test() instanceof Filter.Compare compare && compare.op() == op) {
                byPath.computeIfAbsent(at.path(), path -> new ArrayList<>()).add(at);
            } else {
                others.add(part);
            }
        }
        byPath.forEach((path, tests) -> {
            if (tests.size() < FEWEST) {
                others.addAll(tests);
            } else {
                List<Object> values = tests.stream()
                        .map(test -> ((Filter.Compare) test.test()).value())
                        .toList();
                Filter in = new Filter.At(path, new Filter.In(values));
                others.add(op == Filter.Op.EQ ? in : in.not());
            }
        });
        return others;
    }
}
