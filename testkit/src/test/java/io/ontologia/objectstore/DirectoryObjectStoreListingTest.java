package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreListingContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryObjectStoreListingTest extends ObjectStoreListingContract {
    @TempDir(factory = MemoryDisk.class)
    private Path root;

    @Override
    protected ObjectStore open() {
        return ObjectStores.open("file://" + root);
    }
}
