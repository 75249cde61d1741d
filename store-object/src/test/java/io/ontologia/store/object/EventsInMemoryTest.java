package io.ontologia.store.object;

import io.ontologia.testkit.DoorbellContract;
import io.ontologia.testkit.EventBusContract;
import io.ontologia.testkit.EventRecordsContract;
import io.ontologia.testkit.EventUpkeepContract;
import io.ontologia.testkit.OutboxContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;

/** The contracts of the event bus, on objects in memory. */
class EventsInMemoryTest {
    private static final AtomicInteger STORES = new AtomicInteger();

    @Nested
    class EventBus extends EventBusContract {
        @Override
        protected String newStore() {
            return "memory:events-" + STORES.incrementAndGet();
        }
    }

    @Nested
    class EventRecords extends EventRecordsContract {
        @Override
        protected String newStore() {
            return "memory:events-" + STORES.incrementAndGet();
        }
    }

    @Nested
    class EventUpkeep extends EventUpkeepContract {
        @Override
        protected String newStore() {
            return "memory:events-" + STORES.incrementAndGet();
        }

        @Override
        protected Registration registration() {
            return Registration.SETS_START;
        }
    }

    @Nested
    class Outbox extends OutboxContract {
        @Override
        protected String newStore() {
            return "memory:events-" + STORES.incrementAndGet();
        }
    }

    @Nested
    class Doorbell extends DoorbellContract {
        @Override
        protected String newStore() {
            return "memory:events-" + STORES.incrementAndGet();
        }
    }
}
