package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/** A commit was to come directly after another one, and a third one came first. Nothing was stored. */
public final class HeadMovedException extends OntologiaException {
    /**
     * @param expected the commit that was to be the newest, 0 for none
     * @param newest the commit that is the newest
     */
    public HeadMovedException(long expected, long newest) {
        super(
                ErrorKind.CONFLICT,
                "cannot commit",
                "the newest commit is " + newest + " and not " + expected,
                "read again and decide; nothing was stored",
                Map.of("expected_head", expected, "head", newest),
                null);
    }
}
