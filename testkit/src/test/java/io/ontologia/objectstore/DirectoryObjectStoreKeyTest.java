package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreKeyContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryObjectStoreKeyTest extends ObjectStoreKeyContract {
    @TempDir
    private Path root;

    @Override
    protected ObjectStore open() {
        return ObjectStores.open("file://" + root);
    }
}
