package io.ontologia.store.sqlite;

import io.ontologia.testkit.MigrationContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteMigrationTest extends MigrationContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
