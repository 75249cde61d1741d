package io.ontologia.store.sqlite;

import io.ontologia.testkit.LostLeaseContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteLostLeaseTest extends LostLeaseContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
