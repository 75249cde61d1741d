package io.ontologia.store.sqlite;

import io.ontologia.testkit.RollingDeploymentContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRollingDeploymentTest extends RollingDeploymentContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
