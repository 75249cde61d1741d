package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of a push. */
public sealed interface PushOutcome {

    /** The concern has the new value, by this push and no other. */
    record Updated(ConcernValue value) implements PushOutcome {}

    /** The concern was not what the caller expected; certainly nothing was changed. {@code actual} is what it was instead. */
    record Conflict(ConcernValue actual) implements PushOutcome {}

    /**
     * The reply was lost, and the concern as it is now does not tell whether the push landed and was overtaken, never landed, or
     * still may. Read before doing anything else.
     */
    record Unknown(OntologiaException reason) implements PushOutcome {}
}
