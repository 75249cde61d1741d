package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Brings the payload of a row from one version of its type's schema to the next.
 *
 * @param fromVersion the version that it starts from; it leads to the one after it
 * @param function gets the payload as a JSON tree that it may change and return, without the instance key of a relation;
 *     the result need not hold fields that have a default. It must not depend on anything but its argument, and may be
 *     called from many threads.
 */
public record Upgrader(TypeRef type, long fromVersion, UnaryOperator<Map<String, @Nullable Object>> function) {
    public Upgrader {
        if (fromVersion < 1) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid upgrader for " + type,
                    "it starts from version " + fromVersion,
                    "schema versions count from 1");
        }
    }

    /** An upgrader of an entity type. */
    public static Upgrader entity(
            String type, long fromVersion, UnaryOperator<Map<String, @Nullable Object>> function) {
        return new Upgrader(TypeRef.entity(type), fromVersion, function);
    }

    /** An upgrader of a relation type. */
    public static Upgrader relation(
            String type, long fromVersion, UnaryOperator<Map<String, @Nullable Object>> function) {
        return new Upgrader(TypeRef.relation(type), fromVersion, function);
    }
}
