package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.EventBusContract;
import io.ontologia.testkit.EventRecordsContract;
import io.ontologia.testkit.OutboxContract;
import org.junit.jupiter.api.Nested;

/** The contracts of the event bus, with every opening of the store as a process of its own that remembers for itself. */
class EventsOfProcessesTest {

    @Nested
    class EventBus extends EventBusContract {
        @Override
        protected String newStore() {
            return TestStoreProvider.uriOf(ObjectStores.open("memory:", clock));
        }
    }

    @Nested
    class EventRecords extends EventRecordsContract {
        @Override
        protected String newStore() {
            return TestStoreProvider.uriOf(ObjectStores.open("memory:", clock));
        }
    }

    @Nested
    class Outbox extends OutboxContract {
        @Override
        protected String newStore() {
            return TestStoreProvider.uriOf(ObjectStores.open("memory:", clock));
        }
    }
}
