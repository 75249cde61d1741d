package io.ontologia.store.sqlite;

import io.ontologia.testkit.TraversalContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteTraversalTest extends TraversalContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
