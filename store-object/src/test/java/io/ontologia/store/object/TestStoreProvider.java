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

/**
 * Opens {@code test:…} URIs: object stores that a test has at hand, each opening as if by a process of its own, and all of
 * its work done by the thread that asks for it.
 */
public final class TestStoreProvider implements StorageProvider {
    private static final Map<String, ObjectStore> STORES = new ConcurrentHashMap<>();
    private static final AtomicLong NAMES = new AtomicLong();

    /** The URI under which a store can be opened from now on. */
    static String uriOf(ObjectStore store) {
        String uri = "test:" + NAMES.incrementAndGet();
        STORES.put(uri, store);
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
        ObjectStore store = STORES.get(uri);
        if (store == null) {
            throw new IllegalArgumentException("no such store: " + uri);
        }
        return OpenStores.open(new Unclosed(store), options, Threads.none());
    }
}
