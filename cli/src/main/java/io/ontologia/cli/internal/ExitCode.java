package io.ontologia.cli.internal;

import io.ontologia.kernel.ErrorKind;

/** How a run ended, as the shell sees it. Scripts depend on these numbers. */
public enum ExitCode {
    /** Done. */
    SUCCESS(0),
    /** A defect of this program. */
    UNEXPECTED(1),
    /** The command line or an input of it is wrong; nothing was tried. */
    USAGE(2),
    /** A check ran and what it checked is not as it should be. */
    MISMATCH(3),
    /** The command was understood and cannot be done. */
    COMMAND_FAILED(4),
    /** The storage, or a transaction on it, failed. */
    STORAGE_FAILED(5),
    /** An import met a precondition that does not hold, or a conflict. */
    IMPORT_REFUSED(6),
    /** A schema drop met dependencies, or its safety token is missing. */
    DROP_REFUSED(7);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    /** The number that the process exits with. */
    public int number() {
        return number;
    }

    /** What an error of this kind exits with, unless the command knows better and throws a {@link CommandFailure}. */
    public static ExitCode of(ErrorKind kind) {
        return switch (kind) {
            case INVALID_INPUT -> USAGE;
            case NOT_FOUND, CLOSED -> COMMAND_FAILED;
            case CONFLICT, BUSY, UNAVAILABLE, UNKNOWN_OUTCOME, CORRUPT -> STORAGE_FAILED;
        };
    }
}
