package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Layout;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitLog;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints the rows of a query as they come, as a table or as a JSON list. */
final class RowPrinter {
    /** How many rows share one question about their commits. */
    private static final int PAGE = 500;

    private final OntologyType type;
    private final Output output;
    private final Optional<CommitLog> log;
    private final List<String> columns;
    private final Layout layout;

    /**
     * @param columns the columns of the table; empty for all
     * @param log where time, author and reason of each row's commit come from; empty when they are not shown
     */
    RowPrinter(OntologyType type, Output output, List<String> columns, Layout layout, Optional<CommitLog> log) {
        this.type = type;
        this.output = output;
        this.columns = List.copyOf(columns);
        this.layout = layout;
        this.log = log;
    }

    static void print(OntologyType type, Stream<Result<Row>> results, Output output, Optional<LongSupplier> omitted) {
        new RowPrinter(type, output, List.of(), Layout.TABLE, Optional.empty()).print(results, omitted);
    }

    /** @param omitted how many rows are left out, where some may be; JSON then has that number too */
    void print(Stream<Result<Row>> results, Optional<LongSupplier> omitted) {
        if (output.format() == Output.Format.JSON) {
            JsonListWriter list = begin(output, omitted);
            each(
                    results,
                    (result, commit) ->
                            list.add(log.isPresent() ? RowDocuments.of(result, commit) : RowDocuments.of(result)));
            end(list, omitted);
            return;
        }
        RowTable rows = new RowTable(type, log.isPresent(), layout);
        ChosenColumns shown = new ChosenColumns(rows.headers(), columns);
        long count;
        try (TableWriter table = output.tableWriter(shown.headers(), layout)) {
            count = each(results, (result, commit) -> table.add(shown.cells(rows.cells(result, commit))));
        }
        if (count == 0) {
            output.note("no rows");
        }
    }

    private long each(Stream<Result<Row>> results, BiConsumer<Result<Row>, @Nullable CommitInfo> action) {
        long count = 0;
        List<Result<Row>> page = new ArrayList<>();
        for (Iterator<Result<Row>> all = results.iterator(); all.hasNext(); count++) {
            page.add(all.next());
            if (page.size() == PAGE || !all.hasNext()) {
                Map<Long, CommitInfo> commits = log.isEmpty()
                        ? Map.of()
                        : log.get().get(page.stream().map(Result::commitId).collect(Collectors.toSet()));
                page.forEach(result -> action.accept(result, commits.get(result.commitId())));
                page.clear();
            }
        }
        return count;
    }

    /** Starts the list of rows. */
    static JsonListWriter begin(Output output, Optional<LongSupplier> omitted) {
        return omitted.isPresent() ? output.jsonList("rows") : output.jsonList();
    }

    /** Ends the list of rows. */
    static void end(JsonListWriter list, Optional<LongSupplier> omitted) {
        omitted.ifPresentOrElse(count -> list.end("omitted", count.getAsLong()), list::end);
    }
}
