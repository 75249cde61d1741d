package io.ontologia.store.object;

import io.ontologia.testkit.BridgeContract;
import io.ontologia.testkit.ScheduleContract;
import io.ontologia.testkit.WorkerContract;
import io.ontologia.testkit.WorkerFailureContract;
import io.ontologia.testkit.WorkerThreadsContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of workers, on objects in a folder. */
class WorkersInFolderTest {

    @Nested
    class Steps extends WorkerContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Failures extends WorkerFailureContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Threads extends WorkerThreadsContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Schedules extends ScheduleContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Bridges extends BridgeContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }
}
