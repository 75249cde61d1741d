package io.ontologia.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name that the field of this component had in the schema version before. A migration then renames the field in every row
 * instead of removing one field and adding another. The value is the name of the field in documents, such as {@code full_name}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface FormerName {
    /** The earlier name of the field. */
    String value();
}
