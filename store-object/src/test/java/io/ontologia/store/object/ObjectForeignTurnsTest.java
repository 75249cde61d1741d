package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.ForeignObjects;
import io.ontologia.testkit.ForeignWriter;
import io.ontologia.testkit.ForeignWriterContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class ObjectForeignTurnsTest extends ForeignWriterContract {
    @TempDir
    Path folder;

    private final ObjectStore store = ObjectStores.open("memory:", clock);

    @Override
    protected String newStore() {
        return TestStoreProvider.uriOf(store);
    }

    @Override
    protected ForeignWriter foreign(String uri) throws Exception {
        return new ForeignObjects(store, clock, folder);
    }
}
