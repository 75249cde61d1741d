package io.ontologia.store.sqlite;

import io.ontologia.testkit.OutboxContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteOutboxTest extends OutboxContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
