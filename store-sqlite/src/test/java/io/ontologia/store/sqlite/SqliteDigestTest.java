package io.ontologia.store.sqlite;

import io.ontologia.testkit.DigestContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteDigestTest extends DigestContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("store.db");
    }
}
