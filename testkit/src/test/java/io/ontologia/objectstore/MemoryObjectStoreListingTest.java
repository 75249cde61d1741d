package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreListingContract;

class MemoryObjectStoreListingTest extends ObjectStoreListingContract {
    @Override
    protected ObjectStore open() {
        return ObjectStores.open("memory:");
    }
}
