package io.ontologia.core.spi;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Who in this process wants to know that something was enqueued, by store and namespace. Backends that open a store more
 * than once share the bells by the store's name. Safe for use by many threads.
 */
public final class Doorbells {
    private static final Map<Door, List<Runnable>> LISTENERS = new ConcurrentHashMap<>();

    private final String store;

    private record Door(String store, String namespace) {}

    private Doorbells(String store) {
        this.store = store;
    }

    /**
     * The bells of a store.
     *
     * @param store the same for every opening of the same store, and for no other
     */
    public static Doorbells of(String store) {
        return new Doorbells(store);
    }

    /** See {@link EventStore#onEnqueue}. */
    public EventStore.Registration listen(String namespace, Runnable listener) {
        Door door = new Door(store, namespace);
        // Wrapped, so that the same listener can register twice and leave once.
        Runnable own = () -> listener.run();
        LISTENERS.compute(door, (unused, present) -> {
            List<Runnable> listeners = present == null ? new CopyOnWriteArrayList<>() : present;
            listeners.add(own);
            return listeners;
        });
        return () -> LISTENERS.computeIfPresent(door, (unused, listeners) -> {
            listeners.remove(own);
            return listeners.isEmpty() ? null : listeners;
        });
    }

    /** Tells everybody who listens to the namespace. */
    public void ring(String namespace) {
        LISTENERS.getOrDefault(new Door(store, namespace), List.of()).forEach(Runnable::run);
    }
}
