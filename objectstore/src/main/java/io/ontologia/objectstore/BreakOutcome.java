package io.ontologia.objectstore;

/** What became of an attempt to break a lock. */
public sealed interface BreakOutcome {

    /** The lock is free. */
    record Broken(LeaseHolder former) implements BreakOutcome {}

    /** Nobody holds the lock; nothing was changed. */
    record NotHeld() implements BreakOutcome {}

    /** The token belongs to an earlier holder; nothing was changed. */
    record Changed(LeaseHolder holder) implements BreakOutcome {}
}
