package io.ontologia.store.object;

import io.ontologia.testkit.BridgeContract;
import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.ScheduleContract;
import io.ontologia.testkit.WorkerContract;
import io.ontologia.testkit.WorkerFailureContract;
import io.ontologia.testkit.WorkerThreadsContract;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contracts of workers, on S3. */
class WorkersOnS3IT {
    private static S3Server server;

    private static final AtomicInteger STORES = new AtomicInteger();

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("workers");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String nextStore() {
        return "s3://workers/store-" + STORES.incrementAndGet();
    }

    private static Map<String, String> reachServer() {
        return Map.of("s3_endpoint_url", server.endpoint().toString(), "s3_region", "us-east-1");
    }

    @Nested
    class Steps extends WorkerContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Failures extends WorkerFailureContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Threads extends WorkerThreadsContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Schedules extends ScheduleContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Bridges extends BridgeContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }
}
