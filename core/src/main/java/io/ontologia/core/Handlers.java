package io.ontologia.core;

import io.ontologia.core.internal.events.Handler;
import io.ontologia.core.internal.events.HandlerMethods;
import io.ontologia.core.internal.records.EventBinding;
import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;

/** The handlers of a worker. Never changes; each method returns another one with more handlers. */
public final class Handlers {
    private static final Handlers NONE = new Handlers(List.of());

    private final List<Handler> all;

    private Handlers(List<Handler> all) {
        this.all = all;
    }

    /** No handlers yet. */
    public static Handlers none() {
        return NONE;
    }

    /**
     * The same and the methods of an object that are marked with {@link Handles}, those of its superclasses included.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is none, one has the wrong parameters, or
     *     an id is taken; listing every problem
     */
    public Handlers with(Object methods) {
        Handlers result = this;
        for (Handler handler : HandlerMethods.of(methods)) {
            result = result.and(handler);
        }
        return result;
    }

    /** As {@link #on(Class, HandlerOptions, EventHandler)}, with the default options. */
    public <E extends Record> Handlers on(Class<E> event, String id, EventHandler<? super E> handler) {
        return on(event, HandlerOptions.of(id), handler);
    }

    /**
     * The same and a handler of the events that a record stands for.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the record cannot be an event, or the id is taken
     */
    public <E extends Record> Handlers on(Class<E> event, HandlerOptions options, EventHandler<? super E> handler) {
        EventBinding<E> binding = EventBinding.of(event);
        return and(new Handler(
                options, binding.type(), (stored, context) -> handler.handle(binding.read(stored), context)));
    }

    /** As {@link #on(String, HandlerOptions, EventHandler)}, with the default options. */
    public Handlers on(String eventType, String id, EventHandler<? super Event> handler) {
        return on(eventType, HandlerOptions.of(id), handler);
    }

    /** The same and a handler of events of a named type, without a record; for example of {@link Event#DEAD_LETTER}. */
    public Handlers on(String eventType, HandlerOptions options, EventHandler<? super Event> handler) {
        return and(new Handler(options, EventNames.require("event type", eventType), handler::handle));
    }

    private Handlers and(Handler handler) {
        if (all.stream().anyMatch(one -> one.id().equals(handler.id()))) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot add handler '" + handler.id() + "'",
                    "there is one with this id already",
                    "give each handler its own");
        }
        List<Handler> more = new ArrayList<>(all);
        more.add(handler);
        return new Handlers(List.copyOf(more));
    }

    List<Handler> all() {
        return all;
    }
}
