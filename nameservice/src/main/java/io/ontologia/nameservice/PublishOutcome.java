package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of a push that is repeated on top of what others pushed meanwhile. */
public sealed interface PublishOutcome {

    /** The concern has this value, by a push of this call. */
    record Published(ConcernValue value) implements PublishOutcome {}

    /** The concern already had this value, or the wanted change is none; nothing was pushed. */
    record Unchanged(ConcernValue value) implements PublishOutcome {}

    /**
     * The concern is at or beyond the watermark that was to be pushed, with another value: the caller and somebody else went
     * different ways. Nothing was changed.
     */
    record Diverged(ConcernValue actual) implements PublishOutcome {}

    /** Others were faster each time, and attempts or time are used up. Nothing was changed. */
    record Contended(ConcernValue actual) implements PublishOutcome {}

    /** The reply to a push was lost and cannot be settled. Read before doing anything else. */
    record Unknown(OntologiaException reason) implements PublishOutcome {}
}
