package io.ontologia.cli.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** A command line whose parts can be read, but do not go together. */
public final class UsageError extends OntologiaException {
    private static final long serialVersionUID = 1;

    /** Says what does not fit, and what to write instead. */
    public UsageError(String cause, String remedy) {
        super(ErrorKind.INVALID_INPUT, "invalid command line", cause, remedy);
    }
}
