package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.util.function.Supplier;

/** A store that stays open when its user closes it. */
final class Unclosed extends ForwardingObjectStore {
    Unclosed(ObjectStore target) {
        super(target);
    }

    @Override
    protected <T> T around(StoreOperation operation, Supplier<T> request) {
        return request.get();
    }

    @Override
    public void close() {}
}
