package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Filter;
import io.ontologia.core.spi.SqlFragment;
import java.util.Optional;

/**
 * A text that a document must hold somewhere to pass a test: to search for it costs a fraction of what it takes to parse
 * the document. Whoever wrote it may have escaped any character, so a document with a backslash passes too.
 */
record Needle(String text) {
    private static final int LONGEST = 1_000;

    /** What documents that pass a test hold; empty when there is no such text, or SQLite cannot search for it as it is. */
    static Optional<Needle> of(Filter.Test test) {
        if (test instanceof Filter.Compare compare
                && compare.op() == Filter.Op.EQ
                && compare.value() instanceof String text) {
            return of(text);
        }
        return test instanceof Filter.Text part ? of(part.part()) : Optional.empty();
    }

    private static Optional<Needle> of(String text) {
        boolean searchable =
                !text.isEmpty() && text.length() <= LONGEST && text.chars().allMatch(Needle::standsForItself);
        return searchable ? Optional.of(new Needle(text)) : Optional.empty();
    }

    /** In JSON, and in a pattern. */
    private static boolean standsForItself(int c) {
        return c >= ' ' && c <= '~' && c != '"' && "\\*?[".indexOf(c) < 0;
    }

    /** The condition that a document has it. */
    SqlFragment isIn(String document) {
        return SqlFragment.of("(" + document + " GLOB ? OR " + document + " GLOB '*\\*')", "*" + text + "*");
    }
}
