package io.ontologia.store.sqlite;

import io.ontologia.testkit.RetractionModelContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

class SqliteRetractionModelTest extends RetractionModelContract {
    private final AtomicInteger stores = new AtomicInteger();

    @TempDir
    Path folder;

    @Override
    protected String anotherStore() {
        return "sqlite:///" + folder.resolve("onto-" + stores.incrementAndGet() + ".db");
    }
}
