package io.ontologia.store.sqlite;

import io.ontologia.testkit.AggregateDifferentialContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteAggregateDifferentialTest extends AggregateDifferentialContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
