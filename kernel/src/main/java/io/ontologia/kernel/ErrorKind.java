package io.ontologia.kernel;

import java.util.Locale;

/**
 * What an error means to the caller. Exit codes and HTTP statuses are functions of the kind, never of a message text.
 */
public enum ErrorKind {
    /** The caller asked for something that can never succeed as asked. Nothing was changed. */
    INVALID_INPUT,
    /** What was named does not exist. */
    NOT_FOUND,
    /** Somebody else changed what this call was based on. Nothing was changed; read again and decide. */
    CONFLICT,
    /** Somebody else holds what this call needs. Nothing was changed; the same call may succeed later. */
    BUSY,
    /** The storage could not be reached, refused access or ran out of room. */
    UNAVAILABLE,
    /** A write was sent and nobody can say whether it landed. Read before doing anything else. */
    UNKNOWN_OUTCOME,
    /** Stored bytes are not what they must be. */
    CORRUPT,
    /** The object was used after it was closed. */
    CLOSED;

    /** The kind as it appears in JSON, for example {@code unknown_outcome}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
