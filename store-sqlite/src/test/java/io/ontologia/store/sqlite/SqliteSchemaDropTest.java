package io.ontologia.store.sqlite;

import io.ontologia.testkit.SchemaDropContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSchemaDropTest extends SchemaDropContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }
}
