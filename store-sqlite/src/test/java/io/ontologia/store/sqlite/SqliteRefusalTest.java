package io.ontologia.store.sqlite;

import io.ontologia.testkit.RefusalContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRefusalTest extends RefusalContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
