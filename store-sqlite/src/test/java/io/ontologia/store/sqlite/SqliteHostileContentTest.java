package io.ontologia.store.sqlite;

import io.ontologia.testkit.HostileContentContract;
import io.ontologia.testkit.HostileSqlite;
import io.ontologia.testkit.HostileStore;
import java.nio.file.Path;

class SqliteHostileContentTest extends HostileContentContract {
    private Path file() {
        return storeFolder().resolve("store.db");
    }

    @Override
    protected String newStore() {
        return "sqlite:///" + file();
    }

    @Override
    protected HostileStore content(Path scratch) throws Exception {
        return new HostileSqlite(file());
    }
}
