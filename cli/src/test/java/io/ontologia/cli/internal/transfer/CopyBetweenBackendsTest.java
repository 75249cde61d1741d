package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.Backend;
import io.ontologia.testkit.CopyContract;
import io.ontologia.testkit.EventCopyContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Every store is copied the same way, whatever it is kept on and goes to. */
class CopyBetweenBackendsTest {
    private final AtomicInteger stores = new AtomicInteger();

    @TempDir
    Path folder;

    private String next(Backend backend) {
        return backend.uri(folder, "store" + stores.incrementAndGet());
    }

    @Nested
    class FromSqliteToObjects extends CopyContract {
        @Override
        protected String newStore() {
            return next(Backend.SQLITE);
        }

        @Override
        protected String newTarget() {
            return next(Backend.FOLDER);
        }
    }

    @Nested
    class EventsFromSqliteToObjects extends EventCopyContract {
        @Override
        protected String newStore() {
            return next(Backend.SQLITE);
        }

        @Override
        protected String newTarget() {
            return next(Backend.FOLDER);
        }
    }

    @Nested
    class FromObjectsToSqlite extends CopyContract {
        @Override
        protected String newStore() {
            return next(Backend.FOLDER);
        }

        @Override
        protected String newTarget() {
            return next(Backend.SQLITE);
        }
    }

    @Nested
    class EventsFromObjectsToSqlite extends EventCopyContract {
        @Override
        protected String newStore() {
            return next(Backend.FOLDER);
        }

        @Override
        protected String newTarget() {
            return next(Backend.SQLITE);
        }
    }
}
