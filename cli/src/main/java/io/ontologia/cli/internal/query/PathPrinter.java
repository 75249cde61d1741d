package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.core.Identity;
import io.ontologia.core.Path;
import io.ontologia.core.Session;
import io.ontologia.core.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints paths. */
final class PathPrinter {
    private final String root;
    private final List<Step> steps;
    private final List<String> ends = new ArrayList<>();
    private final Output output;
    private final Optional<LongSupplier> omitted;

    PathPrinter(Session session, String root, List<Step> steps, Output output, Optional<LongSupplier> omitted) {
        this.root = root;
        this.steps = steps;
        this.omitted = omitted;
        this.output = output;
        var traversal = session.traverse(root);
        for (Step step : steps) {
            traversal = traversal.via(step);
            ends.add(traversal.reachedType());
        }
    }

    void print(Stream<Path> paths) {
        if (output.format() == Output.Format.JSON) {
            JsonListWriter list = RowPrinter.begin(output, omitted);
            paths.forEachOrdered(path -> list.add(document(path)));
            RowPrinter.end(list, omitted);
            return;
        }
        boolean repeated = steps.stream().anyMatch(Step::isRepeated);
        try (TableWriter table = output.tableWriter(repeated ? List.of(root, "depth", "path") : headers())) {
            paths.forEachOrdered(path -> table.add(repeated ? keys(path) : cells(path)));
        }
    }

    private List<String> headers() {
        List<String> headers = new ArrayList<>(List.of(root));
        for (int step = 0; step < steps.size(); step++) {
            headers.add("via " + steps.get(step).relation());
            headers.add(ends.get(step));
        }
        return headers;
    }

    private static Map<String, @Nullable Object> document(Path path) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("source", RowDocuments.of(path.source()));
        List<Map<String, @Nullable Object>> hops = new ArrayList<>();
        for (Path.Hop hop : path.hops()) {
            Map<String, @Nullable Object> step = new LinkedHashMap<>();
            step.put("type_name", hop.relation().value().type().name());
            step.putAll(RowDocuments.of(hop.relation()));
            step.put("target", hop.target().map(RowDocuments::of).orElse(null));
            hops.add(step);
        }
        document.put("relations", hops);
        document.put("depth", path.depth());
        return document;
    }

    /** A path of any length. */
    private static List<@Nullable Object> keys(Path path) {
        List<@Nullable Object> cells = new ArrayList<>();
        cells.add(path.source().identity().toString());
        cells.add(path.depth());
        cells.add(path.hops().stream().map(PathPrinter::end).collect(Collectors.joining(" > ")));
        return cells;
    }

    private List<@Nullable Object> cells(Path path) {
        List<@Nullable Object> cells = new ArrayList<>();
        cells.add(path.source().identity().toString());
        for (Path.Hop hop : path.hops()) {
            Identity.OfRelation ends = (Identity.OfRelation) hop.relation().identity();
            Map<String, @Nullable Object> shown =
                    new LinkedHashMap<>(hop.relation().value().fields());
            Object fields = RowTable.cell(shown);
            cells.add(ends.instanceKey().isEmpty() ? fields : ends.instanceKey() + " " + fields);
            cells.add(end(hop));
        }
        while (cells.size() < 1 + 2 * steps.size()) {
            cells.add(null);
        }
        return cells;
    }

    private static String end(Path.Hop hop) {
        return hop.target().isPresent() ? hop.targetKey() : hop.targetKey() + " (not stored)";
    }
}
