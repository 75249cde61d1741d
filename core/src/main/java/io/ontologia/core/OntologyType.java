package io.ontologia.core;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Sha256;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type of entities or relations, as a model declares it or a store remembers it. */
public sealed interface OntologyType permits EntityType, RelationType {

    /** Whether it is a type of entities or of relations. */
    TypeKind kind();

    /** Its name, unique among the types of its kind. */
    String name();

    /** Its fields in the order of declaration, with the key field of an entity and the instance key of a relation. */
    List<FieldDef> fields();

    /** The schema document, the same as the reference implementation stores. */
    Map<String, Object> document();

    /** The field of this name. */
    default Optional<FieldDef> field(String name) {
        return fields().stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /** The fields that make up the payload: all but a relation's instance key. */
    List<FieldDef> payload();

    /** Kind and name. */
    default TypeRef ref() {
        return new TypeRef(kind(), name());
    }

    /** SHA-256 of the schema document in the reference's canonical form. */
    default String schemaHash() {
        return Sha256.hex(CanonicalJson.writeAscii(document()));
    }
}
