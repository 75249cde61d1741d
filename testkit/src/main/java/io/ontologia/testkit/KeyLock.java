package io.ontologia.testkit;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * Lets requests that change a key run alone on it, and requests that read it run beside each other only, so that body
 * and ETag of an answer belong together. A batch delete, whose keys stand in its body, runs alone on all keys.
 */
final class KeyLock extends Handler.Wrapper {
    private static final int STRIPES = 1024;

    private final ReadWriteLock all = new ReentrantReadWriteLock();
    private final ReadWriteLock[] keys =
            Stream.generate(ReentrantReadWriteLock::new).limit(STRIPES).toArray(ReadWriteLock[]::new);

    KeyLock(Handler inner) {
        super(inner);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Lock among = isBatchDelete(request) ? all.writeLock() : all.readLock();
        Lock on = lockOn(request);
        among.lock();
        try {
            on.lock();
            try {
                return super.handle(request, response, callback);
            } finally {
                on.unlock();
            }
        } finally {
            among.unlock();
        }
    }

    private Lock lockOn(Request request) {
        ReadWriteLock key = keys[Math.floorMod(Request.getPathInContext(request).hashCode(), STRIPES)];
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        return reads ? key.readLock() : key.writeLock();
    }

    private static boolean isBatchDelete(Request request) {
        String query = request.getHttpURI().getQuery();
        return request.getMethod().equals("POST") && query != null && query.matches("delete([=&].*)?");
    }
}
