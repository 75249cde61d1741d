package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreContract;

class MemoryObjectStoreTest extends ObjectStoreContract {
    @Override
    protected ObjectStore open() {
        return ObjectStores.open("memory:");
    }
}
