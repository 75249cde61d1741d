package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Locale;

/** The two kinds of things that a store holds. */
public enum TypeKind {
    /** A thing with a key of its own. */
    ENTITY,
    /** A link from one entity to another. */
    RELATION;

    /** The kind as it is stored and printed: {@code entity} or {@code relation}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The kind of a stored or typed word.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is neither
     */
    public static TypeKind of(String wireName) {
        for (TypeKind kind : values()) {
            if (kind.wireName().equals(wireName)) {
                return kind;
            }
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT, "unknown kind '" + wireName + "'", "there are two", "use entity or relation");
    }
}
