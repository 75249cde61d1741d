package io.ontologia.cli.internal.model;

import io.ontologia.cli.internal.config.YamlFile.Entry;
import io.ontologia.core.FieldDef;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.StepExpression;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads the steps of a type: a list for each version that they start from, of {@code {set: f, to: EXPRESSION}}, {@code {set: f,
 * value: VALUE}}, {@code {rename: f, to: g}}, {@code {drop: f}} and {@code {convert: f, to: int|float|str|bool}}. Notes every
 * problem.
 */
final class StepReader {
    private static final Set<String> ACTIONS = Set.of("set", "rename", "drop", "convert");
    private static final String FORMS =
            "write {set: FIELD, to: EXPRESSION}, {set: FIELD, value: VALUE}, {rename: FIELD, to:"
                    + " NAME}, {drop: FIELD} or {convert: FIELD, to: int|float|str|bool}";

    private final ModelProblems problems;

    StepReader(ModelProblems problems) {
        this.problems = problems;
    }

    /** The steps by the version that they start from. */
    Map<Long, List<SchemaStep>> read(Node node) {
        Map<Long, List<SchemaStep>> all = new LinkedHashMap<>();
        problems.entries(node).forEach((version, entry) -> {
            if (!version.matches("[1-9][0-9]{0,8}")) {
                problems.add(
                        entry.key(),
                        "'" + version + "' is no schema version",
                        "name the version that the steps start from");
            } else if (entry.value() instanceof SequenceNode list) {
                List<SchemaStep> steps = new ArrayList<>();
                list.getValue().forEach(step -> step(step).ifPresent(steps::add));
                all.put(Long.valueOf(version), steps);
            } else {
                problems.add(entry.value(), "the steps of a version are a list", FORMS);
            }
        });
        return all;
    }

    private Optional<SchemaStep> step(Node node) {
        if (!(node instanceof MappingNode)) {
            problems.add(node, "a step is a map", FORMS);
            return Optional.empty();
        }
        Map<String, Entry> parts = problems.entries(node);
        List<String> actions = parts.keySet().stream().filter(ACTIONS::contains).toList();
        boolean known = parts.keySet().stream()
                .allMatch(part -> ACTIONS.contains(part) || part.equals("to") || part.equals("value"));
        if (actions.size() != 1 || !known) {
            problems.add(node, "a step has one of set, rename, drop and convert", FORMS);
            return Optional.empty();
        }
        String action = actions.get(0);
        Optional<String> field = name(parts, action);
        return field.flatMap(name -> step(action, name, parts, node));
    }

    private Optional<SchemaStep> step(String action, String field, Map<String, Entry> parts, Node node) {
        boolean withValue = parts.containsKey("value");
        boolean withTo = parts.containsKey("to");
        boolean fits = action.equals("drop") ? !withValue && !withTo : withValue != withTo;
        if (!fits || (withValue && !action.equals("set"))) {
            problems.add(node, "the step to " + action + " '" + field + "' lacks a part or has one too many", FORMS);
            return Optional.empty();
        }
        try {
            return switch (action) {
                case "drop" -> Optional.of(new SchemaStep.Drop(field));
                case "rename" -> name(parts, "to").map(to -> new SchemaStep.Rename(field, to));
                case "convert" ->
                    text(parts, "to").map(to -> new SchemaStep.Convert(field, StepExpression.Conversion.named(to)));
                default -> set(field, parts);
            };
        } catch (OntologiaException e) {
            problems.add(node, e.problem() + ": " + e.reason(), "correct the step");
            return Optional.empty();
        }
    }

    private Optional<SchemaStep> set(String field, Map<String, Entry> parts) {
        Entry value = parts.get("value");
        if (value != null) {
            return YamlValue.of(value.value(), problems)
                    .map(json -> new SchemaStep.Set(field, StepExpression.constant(json.tree())));
        }
        return text(parts, "to").map(expression -> new SchemaStep.Set(field, StepExpression.parse(expression)));
    }

    private Optional<String> text(Map<String, Entry> parts, String part) {
        Entry entry = parts.get(part);
        if (entry != null && entry.value() instanceof ScalarNode scalar) {
            return Optional.of(scalar.getValue());
        }
        if (entry != null) {
            problems.add(entry.value(), "'" + part + "' is no text", FORMS);
        }
        return Optional.empty();
    }

    private Optional<String> name(Map<String, Entry> parts, String part) {
        Optional<String> name = text(parts, part);
        Entry entry = parts.get(part);
        if (entry != null && name.isPresent() && !FieldDef.isName(name.get())) {
            problems.add(entry.value(), "'" + name.get() + "' is no name of a field", FORMS);
            return Optional.empty();
        }
        return name;
    }
}
