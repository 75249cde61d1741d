package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreRaceContract;

class MemoryObjectStoreRaceTest extends ObjectStoreRaceContract {
    @Override
    protected ObjectStore open() {
        return ObjectStores.open("memory:");
    }
}
