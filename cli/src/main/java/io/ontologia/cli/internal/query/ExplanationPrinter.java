package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Explanation;
import io.ontologia.core.FieldPath;
import io.ontologia.core.TypeRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints how a query is answered. */
final class ExplanationPrinter {
    private ExplanationPrinter() {}

    static void print(TypeRef type, Explanation how, Output output) {
        if (output.format() == Output.Format.JSON) {
            output.json(document(type, how));
            return;
        }
        output.table(
                List.of("engine", "reads", "files", "bytes fetched"),
                List.of(List.of(how.engine(), source(how), how.files().size(), how.bytesFetched())));
        output.line("");
        output.line("found in columns or indexes: " + paths(how.pushedDown()));
        output.line("taken out of the JSON of each row: " + paths(how.evaluated()));
        if (!how.files().isEmpty()) {
            output.line("");
            output.table(
                    List.of("type", "first commit", "last commit", "file"),
                    how.files().stream()
                            .map(file -> List.of(
                                    file.type().toString(), file.minCommitId(), file.maxCommitId(), file.path()))
                            .toList());
        }
        output.line("");
        output.line(how.plan().stripTrailing());
    }

    private static String source(Explanation how) {
        return how.source() == Explanation.Source.LATEST ? "latest versions" : "all versions";
    }

    private static String paths(List<FieldPath> paths) {
        return paths.isEmpty()
                ? "nothing"
                : paths.stream().map(FieldPath::toString).collect(Collectors.joining(", "));
    }

    private static Map<String, Object> document(TypeRef type, Explanation how) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type_kind", type.kind().wireName());
        document.put("type_name", type.name());
        document.put("engine", how.engine());
        document.put("source", how.source().name().toLowerCase(Locale.ROOT));
        document.put(
                "files",
                how.files().stream()
                        .map(file -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("type_kind", file.type().kind().wireName());
                            one.put("type_name", file.type().name());
                            one.put("path", file.path());
                            one.put("min_commit_id", file.minCommitId());
                            one.put("max_commit_id", file.maxCommitId());
                            return one;
                        })
                        .toList());
        document.put(
                "pushed_down",
                how.pushedDown().stream().map(FieldPath::toString).toList());
        document.put(
                "evaluated", how.evaluated().stream().map(FieldPath::toString).toList());
        document.put("bytes_fetched", how.bytesFetched());
        document.put("plan", how.plan());
        return document;
    }
}
