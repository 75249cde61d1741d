package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Opens nameservices on object stores. */
public final class ObjectNameservices {
    private static final int THREADS = 16;
    /** Shared by all of the process: threads that only wait for replies, gone when nobody needs them. */
    private static final Executor EXECUTOR = executor();

    private ObjectNameservices() {}

    /** Whether a URI names an object store. */
    public static boolean accepts(String uri) {
        return uri.startsWith("file:") || uri.startsWith("s3:");
    }

    /** Opens the store of a URI whose query may name the layout. */
    public static Nameservice open(String uri, NameserviceOptions options) {
        int query = uri.indexOf('?');
        Layout layout = Layout.B;
        List<String> others = new ArrayList<>();
        if (query >= 0) {
            for (String parameter : uri.substring(query + 1).split("&", -1)) {
                if (parameter.startsWith("layout=")) {
                    layout = Layout.parse(parameter.substring("layout=".length()));
                } else if (!parameter.isEmpty()) {
                    others.add(parameter);
                }
            }
        }
        if (!others.isEmpty() && uri.startsWith("file:")) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot open the nameservice",
                    "its URI has the parameter '" + others.get(0).replaceFirst("=.*", "") + "', which is unknown",
                    "use file:///dir?layout=A, B or C");
        }
        String place = query < 0 ? uri : uri.substring(0, query);
        String storeUri = others.isEmpty() ? place : place + "?" + String.join("&", others);
        // Records may hold secrets. A folder of records is shared by serving it, not by its mode.
        ObjectStoreOptions reach = options.objectStore().fileModes(FileModes.PRIVATE);
        return on(ObjectStores.open(storeUri, reach), layout, options);
    }

    /** A nameservice on a store that is open. */
    public static Nameservice on(ObjectStore store, Layout layout, NameserviceOptions options) {
        return new ObjectNameservice(store, layout, options.clock(), options.random(), EXECUTOR);
    }

    private static Executor executor() {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "ontologia-nameservice");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
