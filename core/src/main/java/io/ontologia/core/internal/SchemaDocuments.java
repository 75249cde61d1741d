package io.ontologia.core.internal;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Stored;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The schema documents of types: what the reference implementation stores, and what is read back from it. */
public final class SchemaDocuments {
    private SchemaDocuments() {}

    /** The document of an entity type. */
    public static Map<String, Object> write(EntityType type) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (FieldDef field : type.fields()) {
            Map<String, Object> info = new LinkedHashMap<>();
            info.put("primary_key", field.name().equals(type.keyField()));
            fields.put(field.name(), describe(field, info));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("entity_name", type.name());
        document.put("fields", fields);
        return document;
    }

    /** The document of a relation type. */
    public static Map<String, Object> write(RelationType type) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (FieldDef field : type.fields()) {
            fields.put(field.name(), describe(field, new LinkedHashMap<>()));
        }
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("relation_name", type.name());
        document.put("left_type", type.left());
        document.put("right_type", type.right());
        document.put("instance_key_field", type.instanceKeyField().orElse(null));
        document.put("fields", fields);
        @SuppressWarnings("unchecked") // a JSON tree may hold null
        Map<String, Object> tree = (Map<String, Object>) (Map<String, ?>) document;
        return tree;
    }

    /**
     * The type that a stored document describes. Defaults are not stored, so the type has none.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when the document is none
     */
    public static OntologyType read(TypeKind kind, String json) {
        return Stored.read("the stored schema of a " + kind.wireName() + " type", () -> parse(kind, json));
    }

    private static OntologyType parse(TypeKind kind, String json) {
        JsonObject document = JsonObject.parse("the stored schema of a " + kind.wireName() + " type", json);
        JsonObject fieldDocuments = document.object("fields");
        List<FieldDef> fields = new ArrayList<>();
        String keyField = "";
        for (String name : fieldDocuments.fields().keySet()) {
            JsonObject info = fieldDocuments.object(name);
            if (info.fields().get("primary_key") == Boolean.TRUE) {
                keyField = name;
            }
            FieldDef field = FieldDef.of(name, TypeSpecs.ofField(info));
            fields.add(info.fields().get("index") == Boolean.TRUE ? field.withIndex() : field);
        }
        if (kind == TypeKind.ENTITY) {
            return new EntityType(document.text("entity_name"), fields, keyField);
        }
        return new RelationType(
                document.text("relation_name"),
                document.text("left_type"),
                document.text("right_type"),
                document.optionalText("instance_key_field"),
                fields);
    }

    private static Map<String, Object> describe(FieldDef field, Map<String, Object> info) {
        info.put("index", field.indexed() == FieldDef.Index.YES);
        info.put("type", field.type().pythonText());
        info.put("type_spec", field.type().toJson());
        return info;
    }

    /** Refuses fields and key that do not make an entity type. */
    public static void requireEntity(String name, List<FieldDef> fields, String keyField) {
        requireDistinct("entity", name, fields);
        Optional<FieldDef> key =
                fields.stream().filter(f -> f.name().equals(keyField)).findFirst();
        if (key.isEmpty()) {
            throw invalid("entity", name, "it has no key field", "mark exactly one text field as its key");
        }
        if (key.get().type() != TypeSpec.Primitive.STR) {
            throw invalid("entity", name, "its key field '" + keyField + "' is not a plain text", "make it a str");
        }
    }

    /** Refuses fields and instance key that do not make a relation type. */
    public static void requireRelation(String name, List<FieldDef> fields, Optional<String> instanceKeyField) {
        requireDistinct("relation", name, fields);
        for (String reserved : List.of("left_key", "right_key")) {
            if (fields.stream().anyMatch(f -> f.name().equals(reserved))) {
                throw invalid("relation", name, "'" + reserved + "' cannot be a field", "rename the field");
            }
        }
        if (instanceKeyField.isEmpty()) {
            return;
        }
        FieldDef key = fields.stream()
                .filter(f -> f.name().equals(instanceKeyField.get()))
                .findFirst()
                .orElseThrow(() -> invalid(
                        "relation",
                        name,
                        "its instance key '" + instanceKeyField.get() + "' is not one of its fields",
                        "declare that field"));
        if (key.type() != TypeSpec.Primitive.STR || key.defaultValue().isPresent()) {
            throw invalid(
                    "relation",
                    name,
                    "its instance key '" + key.name() + "' is not a required plain text",
                    "make it a str without default");
        }
    }

    private static void requireDistinct(String kind, String name, List<FieldDef> fields) {
        Set<String> seen = new HashSet<>();
        for (FieldDef field : fields) {
            if (!seen.add(field.name())) {
                throw invalid(kind, name, "it has two fields called '" + field.name() + "'", "rename one of them");
            }
        }
    }

    private static OntologiaException invalid(String kind, String name, String cause, String remedy) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid " + kind + " type '" + name + "'", cause, remedy);
    }
}
