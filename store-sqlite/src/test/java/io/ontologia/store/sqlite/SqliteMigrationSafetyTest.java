package io.ontologia.store.sqlite;

import io.ontologia.testkit.MigrationSafetyContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteMigrationSafetyTest extends MigrationSafetyContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
