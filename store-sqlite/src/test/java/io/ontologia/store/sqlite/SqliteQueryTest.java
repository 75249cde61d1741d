package io.ontologia.store.sqlite;

import io.ontologia.testkit.QueryContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteQueryTest extends QueryContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
