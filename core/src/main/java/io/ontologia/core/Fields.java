package io.ontologia.core;

import io.ontologia.core.internal.records.FieldNames;
import java.util.List;

/** Where filters and orders begin; made for static import. */
public final class Fields {
    private Fields() {}

    /** A field of the row itself, by accessor. */
    public static <T, V> FieldExpression<V> field(FieldRef<T, V> accessor) {
        return new FieldExpression<>(FieldPath.of(FieldNames.of(accessor)));
    }

    /** A field by path, for example {@code $.tier}, {@code $.address.city} or {@code left.$.tier}. */
    public static FieldExpression<Object> field(String path) {
        return new FieldExpression<>(FieldPath.parse(path));
    }

    /** A field of the entity at the left end, by accessor. */
    public static <T extends Entity, V> FieldExpression<V> left(FieldRef<T, V> accessor) {
        return new FieldExpression<>(new FieldPath(FieldPath.Scope.LEFT, List.of(FieldNames.of(accessor))));
    }

    /** A field of the entity at the right end, by accessor. */
    public static <T extends Entity, V> FieldExpression<V> right(FieldRef<T, V> accessor) {
        return new FieldExpression<>(new FieldPath(FieldPath.Scope.RIGHT, List.of(FieldNames.of(accessor))));
    }
}
