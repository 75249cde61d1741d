package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Locale;

/** Over how many objects a record is spread in a folder or an object store. All clients of one store must use the same. */
public enum Layout {
    /** One object: one request to look up; all concerns contend for it. */
    A,
    /** Two objects, the index apart: transactor and indexer write independently. The default. */
    B,
    /** Four objects, one for each concern: no two concerns contend; four requests to look up. */
    C;

    /**
     * The layout of a letter.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is none
     */
    public static Layout parse(String letter) {
        return switch (letter.toUpperCase(Locale.ROOT)) {
            case "A" -> A;
            case "B" -> B;
            case "C" -> C;
            default ->
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT, "unknown layout '" + letter + "'", "there are three", "use A, B or C");
        };
    }
}
