package io.ontologia.store.object.internal;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.BoundedObjectStore;
import io.ontologia.objectstore.LocalFiles;
import io.ontologia.objectstore.ObjectCache;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.S3Options;
import io.ontologia.store.object.internal.engine.Engine;
import io.ontologia.store.object.internal.engine.EngineOptions;
import io.ontologia.store.object.internal.layout.ObjectSizes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The stores that this process has open. Who opens one a second time shares it: its engine, its caches, its lock. */
public final class OpenStores {
    private static final long CACHE_BYTES = 10L << 30;

    private static final Map<Key, Open> OPEN = new HashMap<>();
    private static final Set<SharedStore> CLOSING = ConcurrentHashMap.newKeySet();
    private static final Map<EngineOptions, SharedEngine> ENGINES = new HashMap<>();

    private record Key(
            String uri, Clock clock, Duration leaseTtl, StorageOptions.Mode mode, Map<String, String> settings) {}

    private static final class SharedEngine {
        final Engine engine;
        int users;

        SharedEngine(Engine engine) {
            this.engine = engine;
        }
    }

    private static final class Open {
        final SharedStore store;
        int users;

        Open(SharedStore store) {
            this.store = store;
        }
    }

    private OpenStores() {}

    /** Opens a store by URI. */
    public static Storage open(String uri, StorageOptions wanted) {
        StorageOptions options = ObjectSettings.applied(wanted);
        boolean isPrivate = uri.equals("memory:");
        Key key = new Key(
                isPrivate ? uri + RandomIds.hex(options.random(), 16) : uri,
                options.clock(),
                options.leaseTtl(),
                options.mode(),
                options.settings());
        Shutdown.install();
        SharedStore shared;
        synchronized (OPEN) {
            Open open = OPEN.get(key);
            if (open == null) {
                open = new Open(make(uri, options));
                OPEN.put(key, open);
            }
            open.users++;
            shared = open.store;
        }
        return new ObjectStorage(shared, options, () -> leave(key));
    }

    /** Opens the store on objects that the caller has at hand, shared with nobody. */
    public static Storage open(ObjectStore objects, StorageOptions wanted, Threads threads) {
        StorageOptions options = ObjectSettings.applied(wanted);
        SharedStore store = make(objects, RandomIds.hex(options.random(), 16), options, threads);
        return new ObjectStorage(store, options, store::close);
    }

    private static void leave(Key key) {
        SharedStore last = null;
        synchronized (OPEN) {
            Open open = OPEN.get(key);
            if (open != null && --open.users == 0) {
                OPEN.remove(key);
                last = open.store;
                CLOSING.add(last);
            }
        }
        if (last != null) {
            try {
                last.close();
            } finally {
                CLOSING.remove(last);
            }
        }
    }

    private static SharedStore make(String uri, StorageOptions options) {
        Map<String, String> settings = options.settings();
        ObjectStore store = ObjectStores.open(
                uri,
                ObjectStoreOptions.defaults()
                        .clock(options.clock())
                        .s3(S3Options.of(settings))
                        .lockTimeout(options.lockTimeout()));
        String id = Sha256.hex(store.location()).substring(0, 16)
                + (uri.equals("memory:") ? "-" + RandomIds.hex(options.random(), 8) : "");
        return make(store, id, options, Threads.background());
    }

    /** Gives back the locks of all open stores when the process ends without closing them. */
    private static final class Shutdown {
        static void install() {
            // Loading the class installs the hook, once.
        }

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(OpenStores::releaseLocks, "ontologia-shutdown"));
        }
    }

    private static void releaseLocks() {
        List<SharedStore> stores = new ArrayList<>(CLOSING);
        synchronized (OPEN) {
            OPEN.values().forEach(open -> stores.add(open.store));
        }
        stores.forEach(SharedStore::releaseLocks);
    }

    private static SharedStore make(ObjectStore objects, String id, StorageOptions options, Threads threads) {
        ObjectStore store = BoundedObjectStore.around(objects, ObjectSizes::most);
        Path folder = cacheFolder(options.settings());
        Path copies = folder.resolve("objects");
        Path outgoing = folder.resolve("outgoing");
        EngineOptions common = new EngineOptions(
                options.settings().getOrDefault("s3_duckdb_memory_limit", "256MB"),
                Runtime.getRuntime().availableProcessors(),
                folder.resolve("engine"),
                List.of(copies, outgoing));
        EngineOptions limits = store instanceof LocalFiles local ? common.withDataFolder(local.folder()) : common;
        Runnable leaveEngine = limits.equals(common) ? () -> {} : () -> leave(limits);
        SharedStore shared = null;
        boolean hasEngine = false;
        try {
            Engine engine = engine(limits);
            hasEngine = true;
            ObjectCache cache =
                    new ObjectCache(copies, CACHE_BYTES, options.clock(), options.random(), options.lockTimeout());
            shared = new SharedStore(store, options, engine, leaveEngine, cache, id, outgoing, threads);
            shared.prime();
            shared.compactions().start();
            return shared;
        } catch (RuntimeException e) {
            if (shared != null) {
                shared.close();
            } else if (hasEngine) {
                leaveEngine.run();
            }
            store.close();
            throw e;
        }
    }

    /** The engine of all stores with the same limits. */
    private static Engine engine(EngineOptions limits) {
        synchronized (ENGINES) {
            SharedEngine shared = ENGINES.computeIfAbsent(limits, missing -> new SharedEngine(Engine.open(limits)));
            shared.users++;
            return shared.engine;
        }
    }

    private static void leave(EngineOptions limits) {
        Engine unused = null;
        synchronized (ENGINES) {
            SharedEngine shared = ENGINES.get(limits);
            if (shared != null && --shared.users == 0) {
                ENGINES.remove(limits);
                unused = shared.engine;
            }
        }
        if (unused != null) {
            unused.close();
        }
    }

    private static Path cacheFolder(Map<String, String> settings) {
        String configured = settings.getOrDefault("cache_dir", System.getProperty("ontologia.cache.dir", ""));
        return configured.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache", "ontologia")
                : Path.of(configured).toAbsolutePath();
    }
}
