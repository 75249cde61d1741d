package io.ontologia.store.sqlite;

import io.ontologia.testkit.UpgradedReadsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteUpgradedReadsTest extends UpgradedReadsContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
