package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** A commit on behalf of a claim was refused, because the claim is not live any more. Nothing was stored. */
public final class ClaimLostException extends OntologiaException {
    private static final long serialVersionUID = 1;

    /** For a claim. */
    public ClaimLostException(Claim claim) {
        super(
                ErrorKind.CONFLICT,
                "cannot commit for event " + claim.event().id(),
                "the claim of handler '" + claim.handlerId() + "' on it was lost",
                "give up; whoever has the event now handles it again");
    }
}
