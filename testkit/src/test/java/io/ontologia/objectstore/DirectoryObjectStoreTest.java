package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryObjectStoreTest extends ObjectStoreContract {
    @TempDir
    private Path root;

    @Override
    protected ObjectStore open() {
        return ObjectStores.open("file://" + root);
    }
}
