package io.ontologia.nameservice;

/** Whether a record takes pushes. */
public enum Lifecycle {
    /** It does. */
    ACTIVE,
    /** It was soft-deleted: readable, pushes are refused, its name is taken until it is restored or purged. */
    RETRACTED
}
