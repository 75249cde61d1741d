package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of a claim. */
public sealed interface ClaimOutcome {

    /** The lock is ours; release it when the work is done. */
    record Claimed(SoftLock lock) implements ClaimOutcome {}

    /** Somebody else holds it; wait or skip. */
    record Held(LockHolder holder) implements ClaimOutcome {}

    /** A reply was lost and cannot be settled. The lock may be ours until it expires; claim again later. */
    record Unknown(OntologiaException reason) implements ClaimOutcome {}
}
