package io.ontologia.store.sqlite;

import io.ontologia.testkit.EventBusContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventBusTest extends EventBusContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
