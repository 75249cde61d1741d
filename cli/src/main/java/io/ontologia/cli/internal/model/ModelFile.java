package io.ontologia.cli.internal.model;

import io.ontologia.cli.internal.config.YamlFile;
import io.ontologia.cli.internal.config.YamlFile.Entry;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Names;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a model from a YAML or JSON file. */
final class ModelFile {
    private static final Set<String> RESERVED = Set.of("left_key", "right_key");

    private final ModelProblems problems;
    private final FieldReader fields;
    private final List<OntologyType> types = new ArrayList<>();
    private final List<DeclaredSteps> steps = new ArrayList<>();
    private Set<String> entityNames = Set.of();

    private record DeclaredSteps(TypeRef type, long fromVersion, List<SchemaStep> all) {}

    private ModelFile(YamlFile file) {
        this.problems = new ModelProblems(file);
        this.fields = new FieldReader(problems);
    }

    /**
     * Reads a file.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that names file, line and reason of every problem
     */
    static Model read(Path path) {
        YamlFile yaml = YamlFile.read("model", path);
        ModelFile file = new ModelFile(yaml);
        yaml.root().ifPresent(file::readRoot);
        file.problems.throwIfAny();
        if (file.types.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid model, " + path,
                    "it declares no types",
                    "declare some under 'entities:' and 'relations:'");
        }
        Model model = Model.of(file.types);
        for (DeclaredSteps steps : file.steps) {
            model = model.withSteps(steps.type(), steps.fromVersion(), steps.all());
        }
        return model;
    }

    private void readRoot(Node root) {
        Map<String, Entry> sections = problems.entries(root);
        sections.forEach((name, entry) -> {
            if (!name.equals("entities") && !name.equals("relations")) {
                problems.add(entry.key(), "unknown section '" + name + "'", "use 'entities' and 'relations'");
            }
        });
        Map<String, Entry> entities = section(sections, "entities");
        entityNames = entities.keySet();
        entities.forEach(this::readEntity);
        section(sections, "relations").forEach(this::readRelation);
    }

    private Map<String, Entry> section(Map<String, Entry> sections, String name) {
        Entry section = sections.get(name);
        return section == null || isNull(section.value()) ? Map.of() : problems.entries(section.value());
    }

    private void readEntity(String name, Entry entry) {
        boolean named = requireTypeName(name, entry.key());
        Map<String, Entry> parts = parts(name, entry, Set.of("fields", "steps"));
        ReadFields read = readFields(parts);
        List<FieldReader.Field> keys = read.keys();
        if (keys.isEmpty() && read.complete()) {
            problems.add(
                    entry.key(),
                    "entity '" + name + "' has no primary key",
                    "mark one str field with primary_key: true");
        }
        if (keys.size() > 1) {
            problems.add(
                    keys.get(1).node(),
                    "entity '" + name + "' has " + keys.size() + " primary keys",
                    "mark exactly one field with primary_key: true");
        }
        for (FieldReader.Field key : keys) {
            requirePlainText(key, "the primary key of entity '" + name + "'");
        }
        readSteps(TypeKind.ENTITY, name, parts);
        if (named && problems.isEmpty()) {
            types.add(new EntityType(
                    name, read.definitions(), keys.get(0).definition().name()));
        }
    }

    private void readRelation(String name, Entry entry) {
        boolean named = requireTypeName(name, entry.key());
        Map<String, Entry> parts = parts(name, entry, Set.of("left", "right", "instance_key", "fields", "steps"));
        Optional<String> left = end(name, entry, parts, "left");
        Optional<String> right = end(name, entry, parts, "right");
        ReadFields read = readFields(parts);
        for (FieldReader.Field field : read.fields()) {
            if (field.key()) {
                problems.add(
                        field.node(),
                        "relation '" + name + "' cannot have a primary key",
                        "its ends identify it; use instance_key to tell several apart");
            }
            if (RESERVED.contains(field.definition().name())) {
                problems.add(field.node(), "'" + field.definition().name() + "' cannot be a field", "rename the field");
            }
        }
        Entry instanceKey = parts.get("instance_key");
        Optional<String> instanceKeyField = instanceKey == null ? Optional.empty() : text(instanceKey);
        if (instanceKey != null && instanceKeyField.isPresent() && read.complete()) {
            read.named(instanceKeyField.get())
                    .ifPresentOrElse(
                            field -> requirePlainText(field, "the instance key of relation '" + name + "'"),
                            () -> problems.add(
                                    instanceKey.value(),
                                    "the instance key '" + instanceKeyField.get() + "' of relation '" + name
                                            + "' is not one of its fields",
                                    "declare that field as str"));
        }
        readSteps(TypeKind.RELATION, name, parts);
        if (named && problems.isEmpty() && left.isPresent() && right.isPresent()) {
            types.add(new RelationType(name, left.get(), right.get(), instanceKeyField, read.definitions()));
        }
    }

    private void readSteps(TypeKind kind, String name, Map<String, Entry> parts) {
        Entry entry = parts.get("steps");
        if (entry != null && !isNull(entry.value())) {
            new StepReader(problems)
                    .read(entry.value())
                    .forEach((from, all) -> steps.add(new DeclaredSteps(new TypeRef(kind, name), from, all)));
        }
    }

    private Map<String, Entry> parts(String name, Entry entry, Set<String> known) {
        Map<String, Entry> parts = isNull(entry.value()) ? Map.of() : problems.entries(entry.value());
        parts.forEach((part, value) -> {
            if (!known.contains(part)) {
                problems.add(
                        value.key(),
                        "unknown part '" + part + "' of type '" + name + "'",
                        "known are " + String.join(", ", known.stream().sorted().toList()));
            }
        });
        return parts;
    }

    private Optional<String> end(String name, Entry entry, Map<String, Entry> parts, String side) {
        Entry end = parts.get(side);
        if (end == null) {
            problems.add(
                    entry.key(), "relation '" + name + "' has no " + side + " end", "add '" + side + ": EntityName'");
            return Optional.empty();
        }
        Optional<String> type = text(end);
        if (type.isPresent() && !entityNames.contains(type.get())) {
            problems.add(
                    end.value(),
                    "relation '" + name + "' joins the unknown entity '" + type.get() + "'",
                    "declare it under 'entities'");
        }
        return type;
    }

    private Optional<String> text(Entry entry) {
        if (entry.value() instanceof ScalarNode scalar && !isNull(scalar)) {
            return Optional.of(scalar.getValue());
        }
        problems.add(entry.value(), "a name belongs here", "write it as 'name: value'");
        return Optional.empty();
    }

    private ReadFields readFields(Map<String, Entry> parts) {
        Map<String, Entry> entries = section(parts, "fields");
        List<FieldReader.Field> read = new ArrayList<>();
        entries.forEach((name, entry) -> fields.read(name, entry).ifPresent(read::add));
        return new ReadFields(read, read.size() == entries.size());
    }

    /**
     * The fields of a type.
     *
     * @param complete whether none was left out for a problem of its own
     */
    private record ReadFields(List<FieldReader.Field> fields, boolean complete) {
        List<FieldReader.Field> keys() {
            return fields.stream().filter(FieldReader.Field::key).toList();
        }

        Optional<FieldReader.Field> named(String name) {
            return fields.stream()
                    .filter(field -> field.definition().name().equals(name))
                    .findFirst();
        }

        List<FieldDef> definitions() {
            return fields.stream().map(FieldReader.Field::definition).toList();
        }
    }

    private void requirePlainText(FieldReader.Field key, String what) {
        FieldDef field = key.definition();
        if (field.type() != TypeSpec.Primitive.STR || field.defaultValue().isPresent()) {
            problems.add(
                    key.node(),
                    what + ", '" + field.name() + "', is not a required str",
                    "make it a str without '?' and without default");
        }
    }

    private boolean requireTypeName(String name, Node node) {
        if (!Names.isTypeName(name)) {
            problems.add(
                    node,
                    "invalid type name '" + name + "'",
                    "use a letter or underscore, then at most 127 letters, digits or underscores");
            return false;
        }
        return true;
    }

    private static boolean isNull(Node node) {
        return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
    }
}
