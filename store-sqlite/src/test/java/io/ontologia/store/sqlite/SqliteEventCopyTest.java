package io.ontologia.store.sqlite;

import io.ontologia.testkit.EventCopyContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventCopyTest extends EventCopyContract {
    private final AtomicInteger stores = new AtomicInteger();

    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("original" + stores.incrementAndGet() + ".db");
    }

    @Override
    protected String newTarget() {
        return "sqlite:///" + folder.resolve("copy.db");
    }
}
