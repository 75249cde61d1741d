package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of one concern when a local nameservice and its upstream were brought together. */
public sealed interface SyncOutcome {

    /** Both already had the same value. */
    record InStep(ConcernValue value) implements SyncOutcome {}

    /** The side that was behind now has this value. */
    record Moved(ConcernValue value) implements SyncOutcome {}

    /** The other side is ahead: push and pull go the other way. Nothing was changed. */
    record Behind(ConcernValue local, ConcernValue upstream) implements SyncOutcome {}

    /**
     * Both sides moved since they were last seen in step, or have different values at one watermark. Somebody has to decide; nothing
     * was changed.
     */
    record Diverged(ConcernValue local, ConcernValue upstream) implements SyncOutcome {}

    /** One side is retracted, and the other is not, or takes no pushes; nothing was changed. */
    record Refused(OntologiaException reason) implements SyncOutcome {}

    /** A reply was lost, or others were faster each time. Synchronize again. */
    record Unknown(OntologiaException reason) implements SyncOutcome {}
}
