package io.ontologia.core;

/**
 * What is done about an event.
 *
 * <p>An event may be handled more than once: when a worker crashes, is paused for longer than its lease, or fails after it
 * committed. Committing the same again changes nothing, so a handler that only commits need not care.
 *
 * @param <E> a record, or {@link Event}
 */
@FunctionalInterface
public interface EventHandler<E> {

    /**
     * Handles one event. When it returns, the event is done; when it throws, it is handled again later, or becomes a dead
     * letter. Called by as many threads at the same time as the handler's concurrency says.
     */
    void handle(E event, EventContext context) throws Exception;
}
