package io.ontologia.objectstore;

import io.ontologia.testkit.LeaseContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLeaseTest extends LeaseContract {
    @TempDir
    private Path root;

    @Override
    protected ObjectStore open() {
        return ObjectStores.open("file://" + root);
    }
}
