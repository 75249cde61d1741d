package io.ontologia.store.sqlite;

import io.ontologia.testkit.ReachContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteReachTest extends ReachContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
