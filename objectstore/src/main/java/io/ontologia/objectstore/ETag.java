package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * Names one version of one object. Only equality means anything, and only within one store.
 *
 * @param value the store's text, without quotes
 */
public record ETag(String value) {
    public ETag {
        if (value.isEmpty() || value.indexOf('"') >= 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid ETag",
                    "it is empty or holds a quote",
                    "use one that a store gave");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
