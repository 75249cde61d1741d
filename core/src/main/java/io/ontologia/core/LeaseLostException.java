package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;
import java.util.Optional;

/**
 * The write lock was lost before the work under it was done: it expired and another writer took it, or it was broken. Nothing
 * was stored.
 */
public final class LeaseLostException extends OntologiaException {
    /**
     * @param lost the hold that is over
     * @param present the hold that replaced it, if there is one
     */
    public LeaseLostException(LockHolder lost, Optional<LockHolder> present) {
        super(
                ErrorKind.CONFLICT,
                "the write lock of '" + lost.ownerId() + "' is lost",
                present.map(other -> "'" + other.ownerId() + "' holds it now")
                        .orElse("it expired and another writer used it, or it was broken"),
                "acquire it again and read again; nothing was stored",
                Map.of("owner_id", lost.ownerId()),
                null);
    }
}
