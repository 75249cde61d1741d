package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * A table of latest versions does not stand at the commit that a query is to be answered at: nothing was read. The files
 * have the answer.
 */
public final class StaleLatestException extends OntologiaException {
    StaleLatestException(TypeRef type, long wanted, String found) {
        super(
                ErrorKind.CONFLICT,
                "cannot read the latest versions of " + type,
                "their table stands at " + found + " and not at commit " + wanted,
                "read the files instead");
    }
}
