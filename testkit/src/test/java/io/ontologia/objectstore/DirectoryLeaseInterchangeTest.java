package io.ontologia.objectstore;

import io.ontologia.testkit.LeaseInterchangeContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLeaseInterchangeTest extends LeaseInterchangeContract {
    @TempDir
    private Path root;

    @Override
    protected ObjectStore open() {
        return ObjectStores.open("file://" + root);
    }
}
