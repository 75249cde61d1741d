package io.ontologia.store.sqlite;

import io.ontologia.testkit.CompatibleChangesContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteCompatibleChangesTest extends CompatibleChangesContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
