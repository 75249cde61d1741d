package io.ontologia.store.sqlite;

import io.ontologia.testkit.CommitLogContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteCommitLogTest extends CommitLogContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
