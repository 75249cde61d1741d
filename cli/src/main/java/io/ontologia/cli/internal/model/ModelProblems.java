package io.ontologia.cli.internal.model;

import io.ontologia.cli.internal.config.YamlFile;
import io.ontologia.cli.internal.config.YamlFile.Problem;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.Node;

/** Everything that is wrong with one model file, so that it can be corrected in one go. */
final class ModelProblems {
    private final YamlFile file;
    private final List<Problem> problems = new ArrayList<>();

    ModelProblems(YamlFile file) {
        this.file = file;
    }

    void add(Problem problem) {
        problems.add(problem);
    }

    void add(Node node, String cause, String remedy) {
        add(Problem.at(node, cause, remedy));
    }

    /** The entries of a mapping; what is wrong with it is noted. */
    Map<String, YamlFile.Entry> entries(Node node) {
        return file.entries(node, this::add);
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    /** Throws when there was a problem, naming file, line and reason of each. */
    void throwIfAny() {
        if (problems.isEmpty()) {
            return;
        }
        if (problems.size() == 1) {
            throw file.error(problems.get(0));
        }
        problems.sort(Comparator.comparingInt(Problem::line));
        String all = problems.stream()
                .map(problem -> "line " + problem.line() + ": " + problem.cause())
                .collect(Collectors.joining("; "));
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("file", file.path().toString());
        details.put("problems", problems.stream().map(ModelProblems::document).toList());
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid model, " + file.path() + " has " + problems.size() + " problems",
                all,
                "correct them",
                details,
                null);
    }

    private static Map<String, Object> document(Problem problem) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("line", problem.line());
        document.put("reason", problem.cause());
        document.put("remedy", problem.remedy());
        return document;
    }
}
