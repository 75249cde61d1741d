package io.ontologia.bench;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** An object store seen from far away: every request takes a while, and is counted. */
final class DistantObjects {
    private static final Set<String> NO_REQUESTS = Set.of("location", "close", "capabilities", "localPath");

    private final AtomicLong requests = new AtomicLong();
    private final Duration distance;

    DistantObjects(Duration distance) {
        this.distance = distance;
    }

    /** How many requests there were. */
    long requests() {
        return requests.get();
    }

    ObjectStore of(ObjectStore near) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    if (!NO_REQUESTS.contains(method.getName())) {
                        requests.incrementAndGet();
                        Clock.system().sleep(distance);
                    }
                    try {
                        return method.invoke(near, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
