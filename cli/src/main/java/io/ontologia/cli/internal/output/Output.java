package io.ontologia.cli.internal.output;

import io.ontologia.kernel.Clock;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a command prints. In {@link Format#JSON} standard output holds one JSON document and nothing else: {@link
 * #line} and {@link #table} print nothing then, so a command that offers both calls {@link #json} when {@link #format()}
 * says so. Used by one thread, except for {@link Progress}.
 */
public final class Output {
    /** What standard output is for. */
    public enum Format {
        /** Lines and tables for people. */
        TEXT,
        /** One document for programs. */
        JSON
    }

    private final PrintStream out;
    private final PrintStream err;
    private final Terminal terminal;
    private final Format format;
    private final Clock clock;
    private final ProgressLines lines;

    /** Prints results to one stream and diagnostics to the other; closes neither. */
    public Output(PrintStream out, PrintStream err, Terminal terminal, Format format, Clock clock) {
        this(out, err, terminal, format, clock, new ProgressLines());
    }

    /** As the other one; the progress lines can be ended from elsewhere. */
    public Output(
            PrintStream out, PrintStream err, Terminal terminal, Format format, Clock clock, ProgressLines lines) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.format = format;
        this.clock = clock;
        this.lines = lines;
    }

    /** What standard output is for. */
    public Format format() {
        return format;
    }

    /** One line of text, or several; control characters in it are written as escapes. Nothing in JSON. */
    public void line(String text) {
        if (format == Format.TEXT) {
            print(PlainText.escapedLines(text));
        }
    }

    /** One line of text as a heading. Nothing in JSON. */
    public void heading(String text) {
        String plain = PlainText.escapedLines(text);
        if (format == Format.TEXT) {
            print(terminal.out() && terminal.colour() ? Tone.HEADING.paint(plain) : plain);
        }
    }

    /**
     * Rows under headers, aligned by what a terminal shows; numbers to the right, a null as {@code -}, a {@link Styled}
     * cell in its tone. Nothing in JSON.
     */
    public void table(List<String> headers, List<? extends List<? extends @Nullable Object>> rows) {
        table(headers, rows, Layout.TABLE);
    }

    /** As {@link #table(List, List)}, in another form. */
    public void table(List<String> headers, List<? extends List<? extends @Nullable Object>> rows, Layout layout) {
        if (format == Format.TEXT) {
            try (TableWriter table = tableWriter(headers, layout)) {
                rows.forEach(table::add);
            }
        }
    }

    /** As {@link #table}, for more rows than fit into memory: columns may become wider on the way. Close it. */
    public TableWriter tableWriter(List<String> headers) {
        return tableWriter(headers, Layout.TABLE);
    }

    /** As {@link #tableWriter(List)}, in another form. */
    public TableWriter tableWriter(List<String> headers, Layout layout) {
        boolean colour = terminal.out() && terminal.colour();
        TableLayout lines = switch (layout) {
            case TABLE -> new Table(headers, terminal.width());
            case VERTICAL -> new VerticalLayout(headers);
            case CSV -> new CsvLayout(headers, terminal.out() ? PlainText::escapedLines : text -> text);
        };
        return new TableWriter(
                lines,
                (tone, text) -> colour ? tone.paint(text) : text,
                line -> {
                    if (format == Format.TEXT) {
                        print(line);
                    }
                },
                this::note);
    }

    /** Names and values, one a line. Nothing in JSON. */
    public void properties(Map<String, ? extends @Nullable Object> values) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        values.forEach((name, value) -> {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(name);
            row.add(value instanceof Number ? value.toString() : value);
            rows.add(row);
        });
        table(List.of("property", "value"), rows);
    }

    /** One JSON document of maps, lists, texts, numbers, booleans and null; keys keep their order. In both formats. */
    public void json(@Nullable Object tree) {
        print(PrettyJson.write(tree));
    }

    /** Starts one JSON list whose items come one by one; they need not fit into memory together. */
    public JsonListWriter jsonList() {
        return new JsonListWriter(out);
    }

    /** Starts a JSON document whose first member is a list; its items come one by one. */
    public JsonListWriter jsonList(String name) {
        return new JsonListWriter(out, name);
    }

    /** A whole text as it is, with its own line end. In both formats. */
    public void document(String text) {
        out.print(text);
        if (terminal.out()) {
            out.flush();
        }
    }

    /** For people in front of a terminal; nothing in JSON. Standard error, so that results stay what they are. */
    public void note(String text) {
        if (format == Format.TEXT) {
            diagnostic("note:", Tone.WEAK, text);
        }
    }

    /**
     * Starts to show progress, on standard error, once the work takes more than a second and only on a terminal. The
     * caller closes it before it prints anything else.
     *
     * @param total how much work there is; zero when that is not known
     */
    public Progress progress(String title, long total) {
        Progress progress = new Progress(title, total, terminal.err() ? err : null, clock, lines);
        lines.opened(progress);
        return progress;
    }

    /** Whether somebody would see {@link #progress}: finding out how much work there is may be work, too. */
    public boolean showsProgress() {
        return terminal.err();
    }

    /** One line for people on standard error, in both formats: control characters in it are written as escapes. */
    public void diagnostic(String label, Tone tone, String text) {
        String shown = terminal.err() && terminal.colour() ? tone.paint(label) : label;
        err.println(shown + " " + PlainText.escaped(text));
    }

    private void print(String text) {
        // Not println: the line separator of a machine must not change what programs read.
        out.print(text + "\n");
        if (terminal.out()) {
            out.flush();
        }
    }
}
