package io.ontologia.store.sqlite;

import io.ontologia.testkit.TemporalContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteTemporalTest extends TemporalContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
