package io.ontologia.server;

/** What the bearer of a token may do. */
public enum Scope {
    /** Look, but see no secrets. */
    READ,
    /** Look, change, and see secrets when asking for them by name. */
    WRITE;

    /** Whether this scope is enough where another one is needed. */
    public boolean covers(Scope needed) {
        return this == WRITE || needed == READ;
    }
}
