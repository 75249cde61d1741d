package io.ontologia.testkit;

import static io.ontologia.testkit.ForeignJson.fields;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.testkit.ForeignIndices.TypePlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The objects under {@code meta/schema} with the fields of the specification and no others. */
final class ForeignSchemas {
    private static final String TYPES = "meta/schema/types.json";
    private static final String REGISTRY = "meta/schema/registry.json";
    private static final List<String> VERSION =
            List.of("schema_version_id", "schema_json", "schema_hash", "created_at", "runtime_id", "reason");

    private final ForeignDocuments documents;

    ForeignSchemas(ForeignDocuments documents) {
        this.documents = documents;
    }

    private static String key(TypePlace type) {
        return "meta/schema/versions/" + type.kind() + "/" + type.name() + ".json";
    }

    List<JsonObject> versions(TypePlace type) {
        return documents
                .find(key(type))
                .map(found -> found.json().objects("versions"))
                .orElse(List.of());
    }

    long version(TypePlace type) {
        return versions(type).stream()
                .mapToLong(version -> version.integer("schema_version_id"))
                .max()
                .orElseThrow();
    }

    /** Stores a version of the schema of a type of parts. */
    void define(String name, int version) {
        TypePlace type = new TypePlace("entities", name);
        Map<String, @Nullable Object> schema = ForeignParts.schema(name, version);
        List<Object> versions = new ArrayList<>();
        for (JsonObject earlier : versions(type)) {
            Map<String, @Nullable Object> kept = fields();
            VERSION.forEach(field -> kept.put(field, earlier.fields().get(field)));
            versions.add(kept);
        }
        versions.add(fields(
                "schema_version_id",
                (long) version,
                "schema_json",
                CanonicalJson.writeAscii(schema),
                "schema_hash",
                ForeignParts.hash(name, version),
                "created_at",
                documents.now(),
                "runtime_id",
                "foreign",
                "reason",
                version == 1 ? "initial" : "migration"));
        documents.put(key(type), fields("type_kind", "entity", "type_name", name, "versions", versions));
        register(name, schema);
        addName(name);
    }

    private void register(String name, Map<String, @Nullable Object> schema) {
        JsonObject registry = documents.read(REGISTRY);
        Map<String, @Nullable Object> entities = fields();
        entities.putAll(registry.object("entity").fields());
        entities.put(name, schema);
        documents.put(
                REGISTRY,
                fields(
                        "entity",
                        entities,
                        "relation",
                        registry.object("relation").fields()));
    }

    private void addName(String name) {
        JsonObject types = documents.read(TYPES);
        List<Object> entities =
                new ArrayList<>((List<?>) Objects.requireNonNull(types.fields().get("entities")));
        if (!entities.contains(name)) {
            entities.add(name);
        }
        documents.put(
                TYPES,
                fields(
                        "entities",
                        entities,
                        "relations",
                        types.fields().get("relations"),
                        "updated_at",
                        documents.now()));
    }
}
