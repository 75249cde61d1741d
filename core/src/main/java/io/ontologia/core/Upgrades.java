package io.ontologia.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public static method {@code Map<String, Object> name(Map<String, Object> fields)} as an {@link Upgrader}, for
 * {@link Upgraders#ofMethods}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Upgrades {
    /** The name of the type. */
    String type();

    /** The schema version that it starts from. */
    long from();

    /** Whether it is a type of entities or of relations. */
    TypeKind kind() default TypeKind.ENTITY;
}
