package io.ontologia.server;

/** What the bearer of a token may do. */
public enum Scope {
    /** Read records without secrets: configs and statuses are redacted, and errors do not name places on the server's disk. */
    READ,
    /** Read and change records, and see secrets on request. */
    WRITE;

    /** Whether this scope is enough where another one is needed. */
    public boolean covers(Scope needed) {
        return this == WRITE || needed == READ;
    }
}
