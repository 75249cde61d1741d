package io.ontologia.store.sqlite;

import io.ontologia.testkit.FilterPathsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteFilterPathsTest extends FilterPathsContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
