package io.ontologia.store.sqlite;

import io.ontologia.testkit.ForeignSqlite;
import io.ontologia.testkit.ForeignWriter;
import io.ontologia.testkit.ForeignWriterContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteForeignTurnsTest extends ForeignWriterContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    @Override
    protected ForeignWriter foreign(String uri) throws Exception {
        return new ForeignSqlite(uri.substring("sqlite:///".length()), clock);
    }
}
