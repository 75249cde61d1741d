package io.ontologia.store.sqlite;

import io.ontologia.testkit.DeclaredStepsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteDeclaredStepsTest extends DeclaredStepsContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
