package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreKeyContract;

class MemoryObjectStoreKeyTest extends ObjectStoreKeyContract {
    @Override
    protected ObjectStore open() {
        return ObjectStores.open("memory:");
    }
}
