package io.ontologia.cli.internal;

import io.ontologia.kernel.OntologiaException;

/** An error with another exit code than its kind implies, because only the command knows what was being done. */
public final class CommandFailure extends RuntimeException {
    private final ExitCode exitCode;
    private final OntologiaException error;

    /** The run ends with this code and reports this error. */
    public CommandFailure(ExitCode exitCode, OntologiaException error) {
        super(error.getMessage(), error);
        this.exitCode = exitCode;
        this.error = error;
    }

    ExitCode exitCode() {
        return exitCode;
    }

    OntologiaException error() {
        return error;
    }
}
