package io.ontologia.store.sqlite;

import io.ontologia.testkit.GroupContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteGroupTest extends GroupContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
