package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Prints the rows of a query as they come, as a table or as a JSON list. */
final class RowPrinter {
    private RowPrinter() {}

    static void print(OntologyType type, Stream<Result<Row>> results, Output output) {
        if (output.format() == Output.Format.JSON) {
            JsonListWriter list = output.jsonList();
            results.forEachOrdered(result -> list.add(RowDocuments.of(result)));
            list.end();
            return;
        }
        AtomicLong count = new AtomicLong();
        RowTable rows = new RowTable(type);
        try (TableWriter table = output.tableWriter(rows.headers())) {
            results.forEachOrdered(result -> {
                table.add(rows.cells(result));
                count.incrementAndGet();
            });
        }
        if (count.get() == 0) {
            output.note("no rows");
        }
    }
}
