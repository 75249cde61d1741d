package io.ontologia.core.spi;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventSession;

/** One record of the event bus of a store, as a copy takes it along. */
public sealed interface BusRecord {

    /** A worker, or the position of a bridge. */
    record OfSession(EventSession session) implements BusRecord {}

    /** A dead letter. */
    record OfDeadLetter(DeadLetter letter) implements BusRecord {}

    /** How far a handler is with an event that is on the bus. */
    record OfClaim(String namespace, ClaimState claim) implements BusRecord {}

    /** An event. */
    record OfEvent(Event event) implements BusRecord {}
}
