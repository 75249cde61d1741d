package io.ontologia.cli.internal.model;

import io.ontologia.cli.internal.config.YamlFile.Entry;
import io.ontologia.core.FieldDef;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.Names;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads one field of a type: {@code name: str}, {@code name: {type: str, index: true}}, or a map of named fields. Notes
 * every problem and returns nothing for a field that has one.
 */
final class FieldReader {
    private static final Set<String> OPTIONS = Set.of("type", "primary_key", "index", "default", "renamed_from");
    private static final int MAX_DEPTH = 50;
    private static final String TYPES =
            "use str, int, float, bool, any, T?, list[T], dict[str, T] or a map of named fields";

    private final ModelProblems problems;

    /**
     * A field as it was read.
     *
     * @param key whether it is marked as the primary key
     * @param node where it stands
     */
    record Field(FieldDef definition, boolean key, Node node) {}

    FieldReader(ModelProblems problems) {
        this.problems = problems;
    }

    Optional<Field> read(String name, Entry entry) {
        boolean named = requireName(name, entry.key());
        Node value = entry.value();
        if (value instanceof MappingNode && problems.entries(value).containsKey("type")) {
            return definition(name, entry).filter(field -> named);
        }
        return type(name, value, 0)
                .filter(spec -> named)
                .map(spec -> new Field(FieldDef.of(name, spec), false, entry.key()));
    }

    private Optional<Field> definition(String name, Entry entry) {
        Map<String, Entry> options = problems.entries(entry.value());
        for (Map.Entry<String, Entry> option : options.entrySet()) {
            if (!OPTIONS.contains(option.getKey())) {
                problems.add(
                        option.getValue().key(),
                        "unknown option '" + option.getKey() + "' of field '" + name + "'",
                        "known are type, primary_key, index, default and renamed_from; a map of named fields goes below 'type:'");
            }
        }
        boolean key = flag(options, "primary_key");
        boolean index = flag(options, "index");
        Optional<TypeSpec> spec = Optional.ofNullable(options.get("type")).flatMap(type -> type(name, type.value(), 0));
        if (spec.isEmpty()) {
            return Optional.empty();
        }
        FieldDef field = FieldDef.of(name, spec.get());
        if (index) {
            field = field.withIndex();
        }
        Entry formerName = options.get("renamed_from");
        if (formerName != null) {
            if (!(formerName.value() instanceof ScalarNode scalar)
                    || !requireName(scalar.getValue(), formerName.value())) {
                problems.add(
                        formerName.key(),
                        "renamed_from of field '" + name + "' is no name of a field",
                        "name the field as it was called before");
                return Optional.empty();
            }
            field = field.withFormerName(scalar.getValue());
        }
        Entry defaultEntry = options.get("default");
        if (defaultEntry != null) {
            Optional<YamlValue> value = YamlValue.of(defaultEntry.value(), problems);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            try {
                field = field.withDefault(value.get().tree());
            } catch (OntologiaException e) {
                problems.add(defaultEntry.key(), e.getMessage(), "correct the default or the type");
                return Optional.empty();
            }
        }
        return Optional.of(new Field(field, key, entry.key()));
    }

    private boolean flag(Map<String, Entry> options, String name) {
        Entry option = options.get(name);
        if (option == null) {
            return false;
        }
        if (option.value() instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
            return Boolean.parseBoolean(scalar.getValue());
        }
        problems.add(option.value(), name + " is neither true nor false", "write " + name + ": true, or leave it out");
        return false;
    }

    private Optional<TypeSpec> type(String fieldName, Node node, int depth) {
        if (depth > MAX_DEPTH) {
            problems.add(node, "the type of field '" + fieldName + "' nests too deep", "make it flatter");
            return Optional.empty();
        }
        if (node instanceof MappingNode) {
            return struct(fieldName, node, depth);
        }
        if (node instanceof SequenceNode sequence) {
            if (sequence.getValue().size() != 1) {
                problems.add(node, "a list has one type of items", "write it as [T] or list[T]");
                return Optional.empty();
            }
            return type(fieldName, sequence.getValue().get(0), depth + 1).map(TypeSpec.ListOf::new);
        }
        ScalarNode scalar = (ScalarNode) node;
        if (scalar.getTag().equals(Tag.NULL)) {
            problems.add(node, "field '" + fieldName + "' has no type", TYPES);
            return Optional.empty();
        }
        try {
            return Optional.of(TypeExpression.parse(scalar.getValue()));
        } catch (TypeExpression.InvalidTypeException e) {
            problems.add(node, "field '" + fieldName + "': " + e.getMessage(), TYPES);
            return Optional.empty();
        }
    }

    private Optional<TypeSpec> struct(String fieldName, Node node, int depth) {
        Map<String, Entry> entries = problems.entries(node);
        if (entries.isEmpty()) {
            problems.add(
                    node, "the map of field '" + fieldName + "' has no fields", "name some, or use dict[str, any]");
            return Optional.empty();
        }
        Map<String, TypeSpec> fields = new LinkedHashMap<>();
        boolean complete = true;
        for (Map.Entry<String, Entry> entry : entries.entrySet()) {
            complete &= requireName(entry.getKey(), entry.getValue().key());
            Optional<TypeSpec> spec = type(entry.getKey(), entry.getValue().value(), depth + 1);
            complete &= spec.isPresent();
            spec.ifPresent(type -> fields.put(entry.getKey(), type));
        }
        return complete ? Optional.of(new TypeSpec.Struct(structName(fieldName), fields)) : Optional.empty();
    }

    /** {@code billing_address} is called {@code BillingAddress}, as a record for it would be. */
    private static String structName(String fieldName) {
        StringBuilder name = new StringBuilder();
        for (String word : fieldName.split("_", -1)) {
            if (!word.isEmpty()) {
                name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
        }
        return name.isEmpty() ? fieldName : name.toString();
    }

    private boolean requireName(String name, Node node) {
        if (!Names.isTypeName(name)) {
            problems.add(
                    node,
                    "invalid field name '" + name + "'",
                    "use a letter or underscore, then at most 127 letters, digits or underscores");
            return false;
        }
        return true;
    }
}
