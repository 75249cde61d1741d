package io.ontologia.naming;

/** How a record and its store agree, after one was brought to the other. */
public sealed interface Publication {
    /** The record said so already, or says more: somebody else committed since. */
    record Level(long t) implements Publication {}

    /** The record was moved forward by this call. */
    record Moved(long t) implements Publication {}

    /** The record and the store contradict each other; nothing was changed. {@code reason} is for people. */
    record Diverged(String reason) implements Publication {}
}
