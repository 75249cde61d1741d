package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;

class FolderFlippedByteTest extends FlippedObjectByteContract {
    @Override
    protected String newStore() {
        return folder.resolve("store").toUri().toString();
    }

    @Override
    ObjectStore objects() {
        return ObjectStores.open(uri(), ObjectStoreOptions.defaults());
    }
}
