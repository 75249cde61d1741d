package io.ontologia.store.sqlite;

import io.ontologia.testkit.KeyContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteKeyTest extends KeyContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
