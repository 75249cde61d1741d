package io.ontologia.core;

import io.ontologia.core.internal.SchemaDocuments;
import io.ontologia.kernel.Names;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A type of relations.
 *
 * @param left the entity type on the left end
 * @param right the entity type on the right end
 * @param instanceKeyField the field that tells several relations between the same two entities apart
 * @param fields all fields, the instance key among them
 */
public record RelationType(
        String name, String left, String right, Optional<String> instanceKeyField, List<FieldDef> fields)
        implements OntologyType {
    public RelationType {
        Names.requireTypeName(name);
        Names.requireTypeName(left);
        Names.requireTypeName(right);
        fields = List.copyOf(fields);
        SchemaDocuments.requireRelation(name, fields, instanceKeyField);
    }

    @Override
    public TypeKind kind() {
        return TypeKind.RELATION;
    }

    @Override
    public List<FieldDef> payload() {
        return fields.stream()
                .filter(field -> !field.name().equals(instanceKeyField.orElse("")))
                .toList();
    }

    @Override
    public Map<String, Object> document() {
        return SchemaDocuments.write(this);
    }
}
