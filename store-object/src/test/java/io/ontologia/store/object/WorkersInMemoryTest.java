package io.ontologia.store.object;

import io.ontologia.testkit.BridgeContract;
import io.ontologia.testkit.ScheduleContract;
import io.ontologia.testkit.WorkerContract;
import io.ontologia.testkit.WorkerFailureContract;
import io.ontologia.testkit.WorkerThreadsContract;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;

/** The contracts of workers, on objects in memory. */
class WorkersInMemoryTest {
    private static final AtomicInteger STORES = new AtomicInteger();

    private static String next() {
        return "memory:workers-" + STORES.incrementAndGet();
    }

    @Nested
    class Steps extends WorkerContract {
        @Override
        protected String newStore() {
            return next();
        }
    }

    @Nested
    class Failures extends WorkerFailureContract {
        @Override
        protected String newStore() {
            return next();
        }
    }

    @Nested
    class Threads extends WorkerThreadsContract {
        @Override
        protected String newStore() {
            return next();
        }
    }

    @Nested
    class Schedules extends ScheduleContract {
        @Override
        protected String newStore() {
            return next();
        }
    }

    @Nested
    class Bridges extends BridgeContract {
        @Override
        protected String newStore() {
            return next();
        }
    }
}
