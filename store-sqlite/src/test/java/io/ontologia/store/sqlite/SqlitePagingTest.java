package io.ontologia.store.sqlite;

import io.ontologia.testkit.PagingContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqlitePagingTest extends PagingContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
