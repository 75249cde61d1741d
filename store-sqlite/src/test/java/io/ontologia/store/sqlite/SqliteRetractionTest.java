package io.ontologia.store.sqlite;

import io.ontologia.testkit.RetractionContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRetractionTest extends RetractionContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
