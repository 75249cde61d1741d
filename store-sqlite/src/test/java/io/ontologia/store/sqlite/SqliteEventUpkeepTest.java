package io.ontologia.store.sqlite;

import io.ontologia.testkit.EventUpkeepContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventUpkeepTest extends EventUpkeepContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    @Override
    protected Registration registration() {
        return Registration.KEEPS_START;
    }
}
