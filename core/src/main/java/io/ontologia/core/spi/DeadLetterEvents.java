package io.ontologia.core.spi;

import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.kernel.UtcTimestamp;
import java.util.Map;
import java.util.Optional;

/** The events that report dead letters. Every backend enqueues the same ones. */
public final class DeadLetterEvents {
    private DeadLetterEvents() {}

    /**
     * The event that reports a dead letter. It belongs to the chain of the event that failed and is one deeper, but never
     * deeper than {@code max_event_chain_depth}, so that a chain that reached the limit is reported as well.
     *
     * @return empty where the event that failed is such a report itself and has reached the limit: a handler of reports that
     *     always fails would otherwise cause reports without end
     */
    public static Optional<NewEvent> about(DeadLetter letter, EventOptions options) {
        boolean isReport = letter.eventType().equals(Event.DEAD_LETTER);
        if (isReport && letter.chainDepth() >= options.maxChainDepth()) {
            return Optional.empty();
        }
        NewEvent root = NewEvent.of(
                letter.namespace(),
                Event.DEAD_LETTER,
                Map.of(
                        "event_id", letter.eventId(),
                        "event_type", letter.eventType(),
                        "handler_id", letter.handlerId(),
                        "attempts", letter.attempts(),
                        "last_error", letter.lastError(),
                        "failed_at", UtcTimestamp.format(letter.failedAt())));
        return Optional.of(new NewEvent(
                root.namespace(),
                root.type(),
                root.payloadJson(),
                root.priority(),
                root.id(),
                root.createdAt(),
                Optional.of(letter.rootEventId()),
                Math.min(letter.chainDepth() + 1, options.maxChainDepth())));
    }
}
