package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Layout;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Reached;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints the entities that a traversal leads to. */
final class ReachedPrinter {
    private final RowTable table;
    private final Output output;
    private final Optional<LongSupplier> omitted;

    ReachedPrinter(OntologyType type, Output output, Optional<LongSupplier> omitted) {
        this.omitted = omitted;
        this.table = new RowTable(type, false, Layout.TABLE);
        this.output = output;
    }

    void print(Stream<Reached> reached) {
        if (output.format() == Output.Format.JSON) {
            JsonListWriter list = RowPrinter.begin(output, omitted);
            reached.forEachOrdered(one -> list.add(document(one)));
            RowPrinter.end(list, omitted);
            return;
        }
        List<String> headers = new ArrayList<>(List.of("depth"));
        headers.addAll(table.headers());
        AtomicLong count = new AtomicLong();
        try (TableWriter rows = output.tableWriter(headers)) {
            reached.forEachOrdered(one -> {
                rows.add(cells(one));
                count.incrementAndGet();
            });
        }
        if (count.get() == 0) {
            output.note("no rows");
        }
    }

    /** {@code {key, fields, commit_id, depth}}; fields and commit are null where no entity is stored. */
    private static Map<String, @Nullable Object> document(Reached reached) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("key", reached.key());
        document.put("fields", null);
        document.put("commit_id", null);
        reached.entity().ifPresent(entity -> document.putAll(RowDocuments.of(entity)));
        document.put("depth", reached.depth());
        return document;
    }

    private List<@Nullable Object> cells(Reached reached) {
        List<@Nullable Object> cells = new ArrayList<>();
        cells.add(reached.depth());
        if (reached.entity().isPresent()) {
            cells.addAll(table.cells(reached.entity().get(), null));
        } else {
            cells.add(reached.key() + " (not stored)");
            cells.addAll(Collections.nCopies(table.headers().size() - 1, null));
        }
        return cells;
    }
}
