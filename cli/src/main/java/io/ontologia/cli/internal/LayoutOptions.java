package io.ontologia.cli.internal;

import io.ontologia.cli.internal.output.Layout;
import io.ontologia.cli.internal.output.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say in which form a table is printed. */
public final class LayoutOptions {
    @Option(
            names = "--format",
            paramLabel = "table|vertical|csv",
            description =
                    "The form of the answer: a table, which is the default; one value a line; or comma-separated values. The "
                            + "last two have whole values, a table cuts long ones.")
    private @Nullable Layout format;

    @Option(names = "--vertical", description = "The same as --format vertical.")
    private boolean vertical;

    /** The form that is asked for. */
    public Layout layout(Output output) {
        if (vertical && format != null && format != Layout.VERTICAL) {
            throw new UsageError("--vertical and --format ask for two forms", "leave one of them out");
        }
        if (output.format() == Output.Format.JSON && (vertical || format != null)) {
            throw new UsageError("--json and --format ask for two forms", "leave one of them out");
        }
        return vertical ? Layout.VERTICAL : format == null ? Layout.TABLE : format;
    }
}
