package io.ontologia.core.internal.events;

import io.ontologia.core.Event;
import io.ontologia.core.EventHandler;
import io.ontologia.core.HandlerOptions;

/** A handler of stored events of one type. */
public record Handler(HandlerOptions options, String eventType, EventHandler<Event> body) {

    /** Its id. */
    public String id() {
        return options.id();
    }
}
