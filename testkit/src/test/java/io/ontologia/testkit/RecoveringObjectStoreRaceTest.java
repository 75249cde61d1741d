package io.ontologia.testkit;

import io.ontologia.objectstore.ObjectStore;

class RecoveringObjectStoreRaceTest extends ObjectStoreRaceContract {
    @Override
    protected ObjectStore open() {
        return RecoveringObjectStore.open();
    }

    @Override
    protected int raceRounds() {
        return 200;
    }
}
