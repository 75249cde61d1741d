package io.ontologia.core;

import io.ontologia.core.internal.records.FieldNames;

/** Where filters and orders begin; made for static import. */
public final class Fields {
    private Fields() {}

    /**
     * A field of the row itself, by accessor. Accessors of a relation's ends and of its instance key mean {@link #leftKey},
     * {@link #rightKey} and {@link #instanceKey}.
     */
    public static <T, V> FieldExpression<V> field(FieldRef<T, V> accessor) {
        return new FieldExpression<>(FieldNames.pathOf(accessor));
    }

    /** The key of an entity. A test for one key, or for one of several, is answered by a look-up. */
    public static FieldExpression<String> key() {
        return new FieldExpression<>(FieldPath.KEY);
    }

    /** The key at the left end of a relation, whether or not that entity exists; tests of it are answered by look-ups. */
    public static FieldExpression<String> leftKey() {
        return new FieldExpression<>(FieldPath.LEFT_KEY);
    }

    /** The key at the right end of a relation, whether or not that entity exists; tests of it are answered by look-ups. */
    public static FieldExpression<String> rightKey() {
        return new FieldExpression<>(FieldPath.RIGHT_KEY);
    }

    /** The instance key of a relation; an empty text when its type has none. */
    public static FieldExpression<String> instanceKey() {
        return new FieldExpression<>(FieldPath.INSTANCE_KEY);
    }

    /** A field by path, for example {@code $.tier}, {@code $.address.city}, {@code left.$.tier} or {@code key}. */
    public static FieldExpression<Object> field(String path) {
        return new FieldExpression<>(FieldPath.parse(path));
    }

    /** A field of the entity at the left end, by accessor. */
    public static <T extends Entity, V> FieldExpression<V> left(FieldRef<T, V> accessor) {
        return new FieldExpression<>(FieldNames.pathOf(FieldPath.Scope.LEFT, accessor));
    }

    /** A field of the entity at the right end, by accessor. */
    public static <T extends Entity, V> FieldExpression<V> right(FieldRef<T, V> accessor) {
        return new FieldExpression<>(FieldNames.pathOf(FieldPath.Scope.RIGHT, accessor));
    }
}
