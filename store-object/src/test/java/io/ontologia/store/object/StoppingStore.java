package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.util.function.Supplier;

/** Runs something before one of its requests. */
final class StoppingStore extends ForwardingObjectStore {
    private int left;
    private Runnable meanwhile = () -> {};

    StoppingStore(ObjectStore target) {
        super(target);
    }

    void before(int request, Runnable action) {
        left = request;
        meanwhile = action;
    }

    boolean wasStopped() {
        return left < 0;
    }

    @Override
    protected <T> T around(StoreOperation operation, Supplier<T> request) {
        if (left-- == 0) {
            meanwhile.run();
        }
        return request.get();
    }
}
