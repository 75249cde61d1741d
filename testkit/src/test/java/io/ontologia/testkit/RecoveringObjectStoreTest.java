package io.ontologia.testkit;

import io.ontologia.objectstore.ObjectStore;

class RecoveringObjectStoreTest extends ObjectStoreContract {
    @Override
    protected ObjectStore open() {
        return RecoveringObjectStore.open();
    }
}
