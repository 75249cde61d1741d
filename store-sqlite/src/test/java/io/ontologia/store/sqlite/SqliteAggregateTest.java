package io.ontologia.store.sqlite;

import io.ontologia.testkit.AggregateContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteAggregateTest extends AggregateContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
