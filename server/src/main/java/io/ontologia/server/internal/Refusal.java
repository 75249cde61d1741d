package io.ontologia.server.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/** A request that is refused for what it is as HTTP, with a status of its own. */
final class Refusal extends OntologiaException {
    private static final long serialVersionUID = 1;

    private final int status;

    Refusal(int status, ErrorKind kind, String cause, String remedy) {
        super(kind, "cannot take this request", cause, remedy);
        this.status = status;
    }

    int status() {
        return status;
    }

    /** The HTTP status of an error. */
    static int statusOf(OntologiaException error) {
        if (error instanceof Refusal refusal) {
            return refusal.status;
        }
        return switch (error.kind()) {
            case INVALID_INPUT -> 400;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case BUSY -> 423;
            case CORRUPT -> 500;
            case UNAVAILABLE, CLOSED -> 503;
            case UNKNOWN_OUTCOME -> 504;
        };
    }
}
