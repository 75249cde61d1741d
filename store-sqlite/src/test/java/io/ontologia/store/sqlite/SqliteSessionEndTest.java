package io.ontologia.store.sqlite;

import io.ontologia.testkit.SessionEndContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSessionEndTest extends SessionEndContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
