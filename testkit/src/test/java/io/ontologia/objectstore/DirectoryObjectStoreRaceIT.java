package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreRaceContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryObjectStoreRaceIT extends ObjectStoreRaceContract {
    @TempDir(factory = MemoryDisk.class)
    private Path root;

    @Override
    protected ObjectStore open() {
        return ObjectStores.open("file://" + root);
    }
}
