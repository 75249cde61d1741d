package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;

/**
 * How large a filter is: how many tests it has, and how deep they are nested. Every engine has limits for both, which differ:
 * SQLite limits how deep a condition nests, and DuckDB needs about 400 kB of memory for each test of a JSON value.
 */
record FilterSize(int tests, int depth) {
    /** The most tests that a filter may have. */
    static final int MOST_TESTS = 500;

    /** The deepest that filters may be nested. */
    static final int DEEPEST = 100;

    /** Refuses parts that make too large a filter together. */
    static void require(List<Filter> parts) {
        FilterSize size = of(parts);
        if (size.tests > MOST_TESTS) {
            throw tooLarge(
                    "it has more than " + MOST_TESTS + " tests",
                    "use in(…) for many values of one field, or ask in parts");
        }
        if (size.depth > DEEPEST) {
            throw tooLarge(
                    "its tests are nested more than " + DEEPEST + " levels deep",
                    "put the parts of a long chain into one list");
        }
    }

    // Not deeper than the limit: what a filter is made of was checked when it was made.
    private static FilterSize of(Filter filter) {
        if (filter instanceof Filter.Not not) {
            FilterSize part = of(not.part());
            return new FilterSize(part.tests, part.depth + 1);
        }
        if (filter instanceof Filter.And and) {
            return of(and.parts());
        }
        return filter instanceof Filter.Or or ? of(or.parts()) : new FilterSize(1, 0);
    }

    private static FilterSize of(List<Filter> parts) {
        int tests = 0;
        int depth = 0;
        for (Filter part : parts) {
            FilterSize size = of(part);
            tests += size.tests;
            depth = Math.max(depth, size.depth);
        }
        return new FilterSize(tests, depth + 1);
    }

    private static OntologiaException tooLarge(String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid filter", cause, remedy);
    }
}
