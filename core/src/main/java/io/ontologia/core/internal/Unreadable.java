package io.ontologia.core.internal;

/** What becomes of rows that cannot be shown in the schema version of a session. */
public enum Unreadable {
    /** The answer fails. */
    FAIL,
    /** They are left out, and counted on request. */
    OMIT
}
