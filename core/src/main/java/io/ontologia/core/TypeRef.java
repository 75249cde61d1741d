package io.ontologia.core;

import io.ontologia.kernel.Names;

/** Names a type: an entity type and a relation type may share a name. */
public record TypeRef(TypeKind kind, String name) {
    public TypeRef {
        Names.requireTypeName(name);
    }

    /** An entity type. */
    public static TypeRef entity(String name) {
        return new TypeRef(TypeKind.ENTITY, name);
    }

    /** A relation type. */
    public static TypeRef relation(String name) {
        return new TypeRef(TypeKind.RELATION, name);
    }

    @Override
    public String toString() {
        return kind.wireName() + " " + name;
    }
}
