package io.ontologia.store.sqlite;

import io.ontologia.testkit.BridgeContract;
import io.ontologia.testkit.ScheduleContract;
import io.ontologia.testkit.WorkerContract;
import io.ontologia.testkit.WorkerFailureContract;
import io.ontologia.testkit.WorkerThreadsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of workers, on SQLite. */
class SqliteWorkerTest {
    @TempDir
    Path folder;

    private String file() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    @Nested
    class Steps extends WorkerContract {
        @Override
        protected String newStore() {
            return file();
        }
    }

    @Nested
    class Failures extends WorkerFailureContract {
        @Override
        protected String newStore() {
            return file();
        }
    }

    @Nested
    class Threads extends WorkerThreadsContract {
        @Override
        protected String newStore() {
            return file();
        }
    }

    @Nested
    class Schedules extends ScheduleContract {
        @Override
        protected String newStore() {
            return file();
        }
    }

    @Nested
    class Bridges extends BridgeContract {
        @Override
        protected String newStore() {
            return file();
        }
    }
}
