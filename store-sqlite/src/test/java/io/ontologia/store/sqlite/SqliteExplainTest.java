package io.ontologia.store.sqlite;

import io.ontologia.testkit.ExplainContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteExplainTest extends ExplainContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    @Override
    protected int filesAfter(int commits) {
        return 0;
    }
}
