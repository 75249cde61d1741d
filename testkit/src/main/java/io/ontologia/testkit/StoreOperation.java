package io.ontologia.testkit;

/** The kinds of requests that an object store gets. */
public enum StoreOperation {
    GET,
    DOWNLOAD,
    PUT,
    PUT_IF_ABSENT,
    PUT_IF_MATCH,
    DELETE,
    DELETE_IF_MATCH,
    DELETE_ALL,
    LIST;

    /** Whether it may change what is stored. */
    public boolean writes() {
        return this != GET && this != DOWNLOAD && this != LIST;
    }
}
