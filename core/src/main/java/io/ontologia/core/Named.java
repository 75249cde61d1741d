package io.ontologia.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The name of a type or field in the store, when it is not the one that follows from the Java name (a type keeps its simple name, a component becomes {@code snake_case}). */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
public @interface Named {
    /** The name. */
    String value();
}
