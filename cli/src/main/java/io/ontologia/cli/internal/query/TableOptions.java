package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.LayoutOptions;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say how rows are shown. */
final class TableOptions {
    /** The columns about the commit of a row. */
    static final List<String> OF_COMMIT = List.of("time", "author", "reason");

    @Option(
            names = "--columns",
            paramLabel = "C,C",
            split = ",",
            description =
                    "Only these columns, in this order, by the names above the table. JSON has all of them always.")
    List<String> columns = new ArrayList<>();

    @Option(
            names = "--with-commit",
            description = "Add time, author and reason of the commit that wrote each row; histories always have them.")
    boolean withCommit;

    @Mixin
    final LayoutOptions layout = new LayoutOptions();

    /** Whether the commits of rows must be asked for. */
    boolean needsCommits() {
        return withCommit || columns.stream().anyMatch(OF_COMMIT::contains);
    }
}
