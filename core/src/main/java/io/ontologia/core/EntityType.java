package io.ontologia.core;

import io.ontologia.core.internal.SchemaDocuments;
import io.ontologia.kernel.Names;
import java.util.List;
import java.util.Map;

/**
 * A type of entities.
 *
 * @param fields all fields, the key field among them
 * @param keyField the name of the field that holds the key; it must be a text
 */
public record EntityType(String name, List<FieldDef> fields, String keyField) implements OntologyType {
    public EntityType {
        Names.requireTypeName(name);
        fields = List.copyOf(fields);
        SchemaDocuments.requireEntity(name, fields, keyField);
    }

    @Override
    public TypeKind kind() {
        return TypeKind.ENTITY;
    }

    @Override
    public List<FieldDef> payload() {
        return fields;
    }

    @Override
    public Map<String, Object> document() {
        return SchemaDocuments.write(this);
    }
}
