package io.ontologia.objectstore;

import io.ontologia.testkit.LeaseContract;

class MemoryLeaseTest extends LeaseContract {
    @Override
    protected ObjectStore open() {
        return ObjectStores.open("memory:");
    }
}
