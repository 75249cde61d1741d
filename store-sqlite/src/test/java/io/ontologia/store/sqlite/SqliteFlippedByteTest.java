package io.ontologia.store.sqlite;

import io.ontologia.testkit.FlippedByteContract;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

class SqliteFlippedByteTest extends FlippedByteContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("store.db");
    }

    @Override
    protected List<Path> files() {
        return List.of(folder.resolve("store.db"));
    }

    @Override
    protected boolean readsAreChecked() {
        return false;
    }
}
