package io.ontologia.store.sqlite;

import io.ontologia.testkit.StreamContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStreamTest extends StreamContract {
    @TempDir
    Path folder;

    private int stores;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto" + ++stores + ".db");
    }
}
