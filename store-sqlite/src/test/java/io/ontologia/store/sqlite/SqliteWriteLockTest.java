package io.ontologia.store.sqlite;

import io.ontologia.testkit.WriteLockContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteWriteLockTest extends WriteLockContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
