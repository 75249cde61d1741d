package io.ontologia.objectstore;

import io.ontologia.testkit.LeaseInterchangeContract;

class MemoryLeaseInterchangeTest extends LeaseInterchangeContract {
    @Override
    protected ObjectStore open() {
        return ObjectStores.open("memory:");
    }
}
