package io.ontologia.store.object.internal.layout;

import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SchemaText;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code meta/schema/versions/…}: every version of a type's schema. */
public final class SchemaDocument {
    /** The names of the fields in the order of the model; left out where that is the order of their names. */
    private static final String FIELD_ORDER = "field_order";

    /** How rows of the version before become rows of this one. Other programs ignore it. */
    private static final String UPGRADE = "ontologia_upgrade";

    private SchemaDocument() {}

    /** Reads the document of a type, oldest version first. */
    public static List<SchemaVersion> parse(TypeRef type, byte[] bytes) {
        return Stored.read(Keys.versions(type), () -> read(type, bytes));
    }

    private static List<SchemaVersion> read(TypeRef type, byte[] bytes) {
        return JsonObject.parse(Keys.versions(type), bytes).objects("versions").stream()
                .map(json -> opened(type, json))
                .map(json -> version(type, json, schemaText(json.fields().get("schema_json"))))
                .toList();
    }

    /**
     * Checks a version's hash of itself, which covers its type too. Each version has one, because another program may add a
     * version and keep ours.
     */
    private static JsonObject opened(TypeRef type, JsonObject json) {
        String key = Keys.versions(type);
        Sealed.open(key, json);
        if (!json.optionalText("type_name").orElse(type.name()).equals(type.name())
                || !json.optionalText("type_kind")
                        .orElse(type.kind().wireName())
                        .equals(type.kind().wireName())) {
            throw Sealed.damaged(key, "it holds the schema of another type");
        }
        return json;
    }

    /** The document of a type. */
    public static byte[] bytes(TypeRef type, List<SchemaVersion> versions, String attemptId) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("type_kind", type.kind().wireName());
        fields.put("type_name", type.name());
        fields.put(
                "versions",
                versions.stream()
                        .map(version -> {
                            Map<String, @Nullable Object> one = about(version);
                            one.put("schema_json", SchemaText.canonical(version.schemaJson()));
                            one.put("type_kind", type.kind().wireName());
                            one.put("type_name", type.name());
                            return Sealed.seal(one);
                        })
                        .toList());
        fields.put("attempt_id", attemptId);
        return CanonicalJson.bytes(fields);
    }

    /** Other writers keep the schema as an object, or as the text of one. */
    static String schemaText(@Nullable Object schema) {
        return CanonicalJson.writeAscii(schema instanceof String text ? Json.parse(text) : schema);
    }

    /** What is known of a version beside its schema. */
    static Map<String, @Nullable Object> about(SchemaVersion version) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("schema_version_id", version.version());
        fields.put("schema_hash", version.schemaHash());
        fields.put("created_at", UtcTimestamp.format(version.createdAt()));
        fields.put("runtime_id", version.runtimeId().orElse(null));
        fields.put("reason", version.reason().orElse(null));
        List<String> order = SchemaText.fieldOrder(version.schemaJson());
        if (!order.equals(SchemaText.fieldOrder(SchemaText.canonical(version.schemaJson())))) {
            fields.put(FIELD_ORDER, order);
        }
        version.upgrade().ifPresent(upgrade -> fields.put(UPGRADE, upgrade));
        return fields;
    }

    static SchemaVersion version(TypeRef type, JsonObject about, String schemaJson) {
        List<String> order = about.fields().get(FIELD_ORDER) instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of();
        return new SchemaVersion(
                type,
                about.integer("schema_version_id"),
                SchemaText.ordered(schemaJson, order),
                about.optionalText("schema_hash").orElseGet(() -> Sha256.hex(schemaJson)),
                UtcTimestamp.parse(Objects.requireNonNullElse(
                        about.optionalText("created_at").orElse(null), "1970-01-01T00:00:00.000000+00:00")),
                about.optionalText("runtime_id"),
                about.optionalText("reason"),
                about.optionalText(UPGRADE));
    }
}
