package io.ontologia.objectstore;

/** What became of an attempt to take a lock. */
public sealed interface AcquireOutcome {

    /** The lock is ours; close the lease to give it back. */
    record Acquired(Lease lease) implements AcquireOutcome {}

    /** Somebody else held it for as long as we were willing to wait. */
    record Held(LeaseHolder holder) implements AcquireOutcome {}
}
