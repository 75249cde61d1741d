package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.HostileContentContract;
import io.ontologia.testkit.HostileObjects;
import io.ontologia.testkit.HostileStore;
import java.nio.file.Path;

class MemoryHostileContentTest extends HostileContentContract {
    @Override
    protected String newStore() {
        return "memory:hostile-content";
    }

    @Override
    protected HostileStore content(Path scratch) throws Exception {
        return new HostileObjects(ObjectStores.open(uri(), ObjectStoreOptions.defaults()), scratch);
    }
}
