package io.ontologia.core;

import io.ontologia.core.internal.TypeSpecs;
import io.ontologia.kernel.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a declared type differs from its stored schema. Types are compared by their specs; how a type is printed does not
 * count.
 *
 * @param changed field to {@code {"stored": …, "code": …}}
 */
public record SchemaDiff(
        TypeRef type, long storedVersion, List<String> added, List<String> removed, Map<String, Object> changed) {

    /** The difference, or empty when there is none. */
    public static Optional<SchemaDiff> between(SchemaVersion stored, OntologyType declared) {
        Map<String, @Nullable Object> before = JsonObject.parse(
                        "the stored schema of " + stored.type(), stored.schemaJson())
                .fields();
        Map<String, Object> after = declared.document();
        Map<?, ?> fieldsBefore =
                JsonObject.of("a stored schema", before).object("fields").fields();
        Map<?, ?> fieldsAfter =
                JsonObject.of("a schema", after).object("fields").fields();
        TreeSet<String> added = new TreeSet<>();
        TreeSet<String> removed = new TreeSet<>();
        Map<String, Object> changed = new TreeMap<>();
        fieldsAfter.keySet().stream()
                .filter(name -> !fieldsBefore.containsKey(name))
                .forEach(name -> added.add((String) name));
        fieldsBefore.forEach((name, info) -> {
            if (!fieldsAfter.containsKey(name)) {
                removed.add((String) name);
            } else if (!comparable(info).equals(comparable(fieldsAfter.get(name)))) {
                changed.put((String) name, change(info, fieldsAfter.get(name)));
            }
        });
        for (String key : List.of("left_type", "right_type", "instance_key_field")) {
            if (!Objects.equals(before.get(key), after.get(key))) {
                changed.put("__" + key + "__", change(before.get(key), after.get(key)));
            }
        }
        if (added.isEmpty() && removed.isEmpty() && changed.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new SchemaDiff(stored.type(), stored.version(), List.copyOf(added), List.copyOf(removed), changed));
    }

    /** Whether nothing but index hints differ, so that every row fits as it is. */
    public boolean isIndexOnly() {
        return added.isEmpty()
                && removed.isEmpty()
                && changed.values().stream()
                        .map(change -> (Map<?, ?>) change)
                        .allMatch(
                                change -> withoutIndex(change.get("stored")).equals(withoutIndex(change.get("code"))));
    }

    private static Object withoutIndex(@Nullable Object info) {
        if (!(info instanceof Map)) {
            return List.of("not a field", String.valueOf(info));
        }
        Map<String, @Nullable Object> result = comparable(info);
        result.remove("index");
        return result;
    }

    /** The document that the reference implementation makes of it. */
    public Map<String, Object> toJson() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type_kind", type.kind().wireName());
        document.put("type_name", type.name());
        document.put("stored_version", storedVersion);
        document.put("added_fields", added);
        document.put("removed_fields", removed);
        document.put("changed_fields", changed);
        return document;
    }

    /** One line for people. */
    public String summary() {
        StringBuilder text =
                new StringBuilder(type.toString()).append(" (stored version ").append(storedVersion);
        append(text, "added", added);
        append(text, "removed", removed);
        append(text, "changed", List.copyOf(changed.keySet()));
        return text.append(')').toString();
    }

    private static void append(StringBuilder text, String what, List<String> names) {
        if (!names.isEmpty()) {
            text.append(", ").append(what).append(' ').append(String.join(", ", names));
        }
    }

    private static Map<String, @Nullable Object> comparable(@Nullable Object info) {
        JsonObject field = JsonObject.of("a field of a stored schema", info);
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("primary_key", field.fields().get("primary_key") == Boolean.TRUE);
        result.put("index", field.fields().get("index") == Boolean.TRUE);
        result.put("type_spec", TypeSpecs.ofField(field).toJson());
        return result;
    }

    private static Map<String, @Nullable Object> change(@Nullable Object stored, @Nullable Object code) {
        Map<String, @Nullable Object> change = new LinkedHashMap<>();
        change.put("stored", stored);
        change.put("code", code);
        return change;
    }
}
