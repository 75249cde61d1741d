package io.ontologia.store.sqlite;

import io.ontologia.testkit.ReadersAndWritersContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteReadersAndWritersTest extends ReadersAndWritersContract {
    @TempDir
    Path folder;

    private int stores;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto" + ++stores + ".db");
    }
}
