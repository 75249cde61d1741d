package io.ontologia.cli.internal.filter;

import io.ontologia.core.FieldPath;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * Paths as people write them: {@code $.tier}, {@code $.left.tier}, {@code left.$.tier}, or short {@code tier}; and the words
 * {@code key}, {@code left_key}, {@code right_key} and {@code instance_key} for the parts of the identity. A field that has
 * one of those names is written with {@code $.} before it.
 */
public final class Paths {
    private Paths() {}

    /**
     * Reads a path; one without {@code $} starts with it, unless it names a part of the identity.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is none
     */
    public static FieldPath parse(String text) {
        return FieldPath.parse(text.contains("$") || FieldPath.isIdentity(text) ? text : "$." + text);
    }

    static OntologiaException invalid(String text, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid path '" + text + "'",
                cause,
                "write it like $.name, $.address.city, $.left.tier or $.events[].kind");
    }
}
