package io.ontologia.kernel;

import java.util.function.Supplier;

/**
 * Reads what is stored. A name or a time that would be bad input from a user is damage when it comes out of a store, because
 * the store holds only what was checked when it was written.
 */
public final class Stored {
    private Stored() {}

    /**
     * The value of a reader.
     *
     * @param document what is read, for errors
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} where the reader reports {@link ErrorKind#INVALID_INPUT}; other
     *     errors are passed on
     */
    public static <T> T read(String document, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.INVALID_INPUT) {
                throw e;
            }
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + document,
                    e.problem() + ": " + e.reason(),
                    "restore it from a backup; 'onto fsck' tells what else is damaged",
                    e);
        }
    }
}
