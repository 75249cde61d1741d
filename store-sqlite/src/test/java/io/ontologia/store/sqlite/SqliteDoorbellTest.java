package io.ontologia.store.sqlite;

import io.ontologia.testkit.DoorbellContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteDoorbellTest extends DoorbellContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
