package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of something that only the holder of a soft lock may do. */
public sealed interface LockOutcome {

    /** It is done; the value is what was pushed. */
    record Done(ConcernValue value) implements LockOutcome {}

    /** The lock is not ours any more; nothing was changed. Stop working. */
    record Lost(String reason) implements LockOutcome {}

    /** A reply was lost and cannot be settled. */
    record Unknown(OntologiaException reason) implements LockOutcome {}
}
