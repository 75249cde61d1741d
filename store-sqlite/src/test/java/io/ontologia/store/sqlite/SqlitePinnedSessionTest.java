package io.ontologia.store.sqlite;

import io.ontologia.testkit.PinnedSessionContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqlitePinnedSessionTest extends PinnedSessionContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
