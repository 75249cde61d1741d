package io.ontologia.objectstore;

import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.util.function.Supplier;

/** Passes everything on; tests override what is to go wrong. */
class DelegatingStore extends ForwardingObjectStore {
    DelegatingStore(ObjectStore store) {
        super(store);
    }

    @Override
    protected <T> T around(StoreOperation operation, Supplier<T> request) {
        return request.get();
    }
}
