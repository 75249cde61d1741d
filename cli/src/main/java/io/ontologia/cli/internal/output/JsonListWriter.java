package io.ontologia.cli.internal.output;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints one JSON list item by item, alone or as the first member of a document. */
public final class JsonListWriter {
    private static final String INDENT = "  ";

    private final PrintStream out;
    private final String start;
    private final String indent;
    private boolean begun;

    JsonListWriter(PrintStream out) {
        this(out, "", INDENT);
    }

    /** A list that is the member of this name in a document; {@link #end(String, long)} adds the other member. */
    JsonListWriter(PrintStream out, String name) {
        this(out, "{\n" + INDENT + PrettyJson.write(name) + ": ", INDENT + INDENT);
    }

    private JsonListWriter(PrintStream out, String start, String indent) {
        this.out = out;
        this.start = start;
        this.indent = indent;
    }

    /** One more item, a JSON tree. */
    public void add(@Nullable Object item) {
        out.print((begun ? ",\n" : start + "[\n") + indent + PrettyJson.write(item, indent));
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

    /** Ends the list, and the document that it is a member of, with a number. As {@link #end()} otherwise. */
    public void end(String name, long number) {
        out.print((begun ? "\n" + INDENT + "]" : start + "[]") + ",\n" + INDENT + PrettyJson.write(name) + ": " + number
                + "\n}\n");
    }
}
