package io.ontologia.store.sqlite;

import io.ontologia.testkit.SessionContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSessionTest extends SessionContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
