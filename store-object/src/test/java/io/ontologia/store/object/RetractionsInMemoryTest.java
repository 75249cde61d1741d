package io.ontologia.store.object;

import io.ontologia.testkit.RetractionContract;
import io.ontologia.testkit.RetractionModelContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;

/** How rows end, on objects in memory. */
class RetractionsInMemoryTest {
    private static final AtomicInteger STORES = new AtomicInteger();

    private static String nextStore() {
        return "memory:retractions-" + STORES.incrementAndGet();
    }

    @Nested
    class Retraction extends RetractionContract {
        @Override
        protected String newStore() {
            return nextStore();
        }
    }

    @Nested
    class RetractionModel extends RetractionModelContract {
        @Override
        protected String anotherStore() {
            return nextStore();
        }
    }
}
