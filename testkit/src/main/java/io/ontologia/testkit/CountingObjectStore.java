package io.ontologia.testkit;

import io.ontologia.objectstore.ObjectStore;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts the requests that reach a store, by operation and by waves, for tests that hold code to a budget.
 *
 * <p>A <em>wave</em> begins with a request that starts while no other is in flight. Requests sent in parallel are one
 * wave, requests sent one after the other are one each, so the number of waves is the number of sequential round trips
 * as long as each batch is waited for before the next one starts.
 *
 * <p>A {@code deleteAll} counts as one request whatever its size. Safe for use by many threads.
 */
public final class CountingObjectStore extends ForwardingObjectStore {
    private final Map<StoreOperation, Integer> counts = new EnumMap<>(StoreOperation.class);
    private int waves;
    private int inFlight;

    public CountingObjectStore(ObjectStore target) {
        super(target);
    }

    @Override
    protected <T> T around(StoreOperation operation, Supplier<T> request) {
        started(operation);
        try {
            return request.get();
        } finally {
            ended();
        }
    }

    private synchronized void started(StoreOperation operation) {
        counts.merge(operation, 1, Integer::sum);
        if (inFlight++ == 0) {
            waves++;
        }
    }

    private synchronized void ended() {
        inFlight--;
    }

    /** How many requests of this kind were started since the last {@link #reset}, failed ones included. */
    public synchronized int count(StoreOperation operation) {
        return counts.getOrDefault(operation, 0);
    }

    /** The requests of all kinds that occurred, with their number. */
    public synchronized Map<StoreOperation, Integer> counts() {
        return new EnumMap<>(counts);
    }

    /** How many requests were started. */
    public synchronized int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** How many waves of requests there were. */
    public synchronized int waves() {
        return waves;
    }

    /** Starts counting anew. */
    public synchronized void reset() {
        counts.clear();
        waves = inFlight > 0 ? 1 : 0;
    }
}
