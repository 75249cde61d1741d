package io.ontologia.store.object;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageProvider;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.OpenStores;
import io.ontologia.store.object.internal.Threads;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Opens {@code test:…} URIs: object stores that a test has at hand, each opening as if by a process of its own, and all of
 * its work done by the thread that asks for it.
 */
public final class TestStoreProvider implements StorageProvider {
    private static final Map<String, Opening> STORES = new ConcurrentHashMap<>();
    private static final AtomicLong NAMES = new AtomicLong();

    private record Opening(ObjectStore store, Supplier<Threads> threads) {}

    /** The URI under which a store can be opened from now on. */
    static String uriOf(ObjectStore store) {
        return uriOf(store, Threads::none);
    }

    /** The same, with others to do the work. */
    static String uriOf(ObjectStore store, Supplier<Threads> threads) {
        String uri = "test:" + NAMES.incrementAndGet();
        STORES.put(uri, new Opening(store, threads));
        return uri;
    }

    @Override
    public boolean accepts(String uri) {
        return uri.startsWith("test:");
    }

    @Override
    public String uriForm() {
        return "test:name";
    }

    @Override
    public Storage open(String uri, StorageOptions options) {
        Opening opening = STORES.get(uri);
        if (opening == null) {
            throw new IllegalArgumentException("no such store: " + uri);
        }
        return OpenStores.open(
                new Unclosed(opening.store()), options, opening.threads().get());
    }
}
