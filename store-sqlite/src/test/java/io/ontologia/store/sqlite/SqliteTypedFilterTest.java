package io.ontologia.store.sqlite;

import io.ontologia.testkit.TypedFilterContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteTypedFilterTest extends TypedFilterContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
