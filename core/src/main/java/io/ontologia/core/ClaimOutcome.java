package io.ontologia.core;

import java.time.Instant;

/** What became of an operation on a claim. */
public sealed interface ClaimOutcome {

    /** The event is acknowledged for this handler, for good; or handed back. */
    record Done() implements ClaimOutcome {}

    /** The lease goes on. */
    record Renewed(Claim claim) implements ClaimOutcome {}

    /**
     * The failure is noted, and the event will be handled again.
     *
     * @param attempts how often the handler has failed with it
     * @param availableAt not before this moment
     */
    record Retry(long attempts, Instant availableAt) implements ClaimOutcome {}

    /** The failure is noted, and it was the last: the event is a dead letter for this handler. */
    record DeadLettered(long attempts) implements ClaimOutcome {}

    /**
     * The claim was not live any more: its lease ran out, or it was acknowledged or released before. Nothing was changed,
     * and somebody else may be at work on the event.
     */
    record LostClaim() implements ClaimOutcome {}
}
