package io.ontologia.core;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A record's accessor as a field: {@code Customer::tier}. Only method references to record accessors work; a lambda is
 * refused when it is used.
 *
 * @param <T> the record
 * @param <V> the component's type
 */
@FunctionalInterface
public interface FieldRef<T, V> extends Serializable {
    /** The component's value. */
    @Nullable V get(T record);
}
