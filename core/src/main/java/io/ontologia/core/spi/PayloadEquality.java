package io.ontologia.core.spi;

import io.ontologia.core.TypeRef;

/** Compares payloads as the values of their type, defaults filled in. Safe for use by many threads. */
@FunctionalInterface
public interface PayloadEquality {
    /**
     * Whether a stored payload means what is wanted. What cannot be read, or does not fit its type, means something else.
     *
     * @param stored as any writer may have formed it
     * @param wanted canonical JSON
     */
    boolean same(TypeRef type, String stored, String wanted);
}
