package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** What a failure before the swap of the head means: whatever was written, no commit became visible. */
final class NotCommitted {
    private NotCommitted() {}

    /** The failure itself, unless it leaves open what became of a write; that makes no difference to the commit. */
    static OntologiaException because(OntologiaException e) {
        return e.kind() != ErrorKind.UNKNOWN_OUTCOME
                ? e
                : new OntologiaException(
                        ErrorKind.UNAVAILABLE,
                        "cannot commit",
                        "the store did not confirm a write that comes before the commit itself",
                        "try again; nothing was stored",
                        e);
    }
}
