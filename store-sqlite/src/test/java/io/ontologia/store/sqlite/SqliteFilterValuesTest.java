package io.ontologia.store.sqlite;

import io.ontologia.testkit.FilterValuesContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteFilterValuesTest extends FilterValuesContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
