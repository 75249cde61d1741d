package io.ontologia.store.sqlite;

import io.ontologia.testkit.EventRecordsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventRecordsTest extends EventRecordsContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
