package io.ontologia.store.sqlite;

import io.ontologia.testkit.ReconcileContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteReconcileTest extends ReconcileContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
