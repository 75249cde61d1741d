package io.ontologia.cli.internal.output;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints one JSON list item by item. */
public final class JsonListWriter {
    private static final String INDENT = "  ";

    private final PrintStream out;
    private boolean begun;

    JsonListWriter(PrintStream out) {
        this.out = out;
    }

    /** One more item, a JSON tree. */
    public void add(@Nullable Object item) {
        out.print((begun ? ",\n" : "[\n") + INDENT + PrettyJson.write(item, INDENT));
        begun = true;
    }

    /** Shows what was added, for lists whose items come one by one. */
    public void flush() {
        out.flush();
    }

    /** Ends the list. Not to be called when the items broke off: half a list must not look like a whole one. */
    public void end() {
        out.print(begun ? "\n]\n" : "[]\n");
    }
}
