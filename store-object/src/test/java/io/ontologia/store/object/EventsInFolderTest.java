package io.ontologia.store.object;

import io.ontologia.testkit.DoorbellContract;
import io.ontologia.testkit.EventBusContract;
import io.ontologia.testkit.EventRecordsContract;
import io.ontologia.testkit.EventUpkeepContract;
import io.ontologia.testkit.OutboxContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contracts of the event bus, on objects in a folder. */
class EventsInFolderTest {

    @Nested
    class EventBus extends EventBusContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class EventRecords extends EventRecordsContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class EventUpkeep extends EventUpkeepContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }

        @Override
        protected Registration registration() {
            return Registration.SETS_START;
        }
    }

    @Nested
    class Outbox extends OutboxContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class Doorbell extends DoorbellContract {
        @TempDir
        Path folder;

        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }
}
