package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.TableWriter;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Path;
import io.ontologia.core.RelationType;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prints paths, or the entities that they lead to. */
final class PathPrinter {
    private final Session session;
    private final List<String> relations;
    private final List<String> entities = new ArrayList<>();
    private final Output output;

    PathPrinter(Session session, String root, List<String> via, Output output) {
        this.session = session;
        this.relations = via;
        this.output = output;
        entities.add(root);
        for (String relation : via) {
            RelationType type = (RelationType) Types.require(session, TypeRef.relation(relation));
            String reached = entities.get(entities.size() - 1);
            entities.add(type.left().equals(reached) ? type.right() : type.left());
        }
    }

    void printPaths(Stream<Path> paths) {
        if (output.format() == Output.Format.JSON) {
            JsonListWriter list = output.jsonList();
            paths.forEachOrdered(path -> list.add(document(path)));
            list.end();
            return;
        }
        List<String> headers = new ArrayList<>(List.of(entities.get(0)));
        for (int step = 0; step < relations.size(); step++) {
            headers.add("via " + relations.get(step));
            headers.add(entities.get(step + 1));
        }
        try (TableWriter table = output.tableWriter(headers)) {
            paths.forEachOrdered(path -> table.add(cells(path)));
        }
    }

    void printTargets(Stream<Path> paths) {
        OntologyType type = Types.require(session, TypeRef.entity(entities.get(entities.size() - 1)));
        Set<String> seen = new HashSet<>();
        Stream<Result<Row>> targets = paths.map(
                        path -> path.hops().get(path.hops().size() - 1))
                .filter(hop -> seen.add(hop.targetKey()))
                .flatMap(hop -> hop.target().stream());
        RowPrinter.print(type, targets, output);
    }

    private Map<String, @Nullable Object> document(Path path) {
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
        return document;
    }

    private static List<@Nullable Object> cells(Path path) {
        List<@Nullable Object> cells = new ArrayList<>();
        cells.add(path.source().identity().toString());
        for (Path.Hop hop : path.hops()) {
            Identity.OfRelation ends = (Identity.OfRelation) hop.relation().identity();
            Map<String, @Nullable Object> shown =
                    new LinkedHashMap<>(hop.relation().value().fields());
            Object fields = RowTable.cell(shown);
            cells.add(ends.instanceKey().isEmpty() ? fields : ends.instanceKey() + " " + fields);
            cells.add(hop.target().isPresent() ? hop.targetKey() : hop.targetKey() + " (not stored)");
        }
        return cells;
    }
}
