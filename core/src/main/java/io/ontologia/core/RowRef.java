package io.ontologia.core;

/** Names one row of a store, whether it is there or not. */
public record RowRef(TypeRef type, Identity identity) {
    /** An entity. */
    public static RowRef entity(String type, String key) {
        return new RowRef(TypeRef.entity(type), new Identity.OfEntity(key));
    }

    /** A relation of a type without instance keys. */
    public static RowRef relation(String type, String leftKey, String rightKey) {
        return relation(type, leftKey, rightKey, "");
    }

    /** A relation; the instance key is empty for types without one. */
    public static RowRef relation(String type, String leftKey, String rightKey, String instanceKey) {
        return new RowRef(TypeRef.relation(type), new Identity.OfRelation(leftKey, rightKey, instanceKey));
    }

    @Override
    public String toString() {
        return type + " '" + identity + "'";
    }
}
