package io.ontologia.store.object;

import io.ontologia.testkit.DoorbellContract;
import io.ontologia.testkit.EventBusContract;
import io.ontologia.testkit.EventRecordsContract;
import io.ontologia.testkit.EventUpkeepContract;
import io.ontologia.testkit.OutboxContract;
import io.ontologia.testkit.S3Server;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contracts of the event bus, on S3. */
class EventsOnS3IT {
    private static S3Server server;

    private static final AtomicInteger STORES = new AtomicInteger();

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("events");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String nextStore() {
        return "s3://events/store-" + STORES.incrementAndGet();
    }

    private static Map<String, String> reachServer() {
        return Map.of("s3_endpoint_url", server.endpoint().toString(), "s3_region", "us-east-1");
    }

    @Nested
    class EventBus extends EventBusContract {
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
    class EventRecords extends EventRecordsContract {
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
    class EventUpkeep extends EventUpkeepContract {
        @Override
        protected String newStore() {
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
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
            return nextStore();
        }

        @Override
        protected Map<String, String> settings() {
            return reachServer();
        }
    }

    @Nested
    class Doorbell extends DoorbellContract {
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
