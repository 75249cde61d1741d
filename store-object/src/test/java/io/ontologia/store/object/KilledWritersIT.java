package io.ontologia.store.object;

import io.ontologia.testkit.KilledWritersContract;
import io.ontologia.testkit.S3Server;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Writers on objects are killed. Each has a cache of its own, as on machines of their own. */
class KilledWritersIT {
    /** Who is killed with the lock makes the others wait until its time is over. */
    private static final int COMMITS = 40;

    @Nested
    class InFolder extends KilledWritersContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }

        @Override
        protected int commits() {
            return COMMITS;
        }
    }

    @Nested
    class OnS3 extends KilledWritersContract {
        private S3Server server;

        @BeforeEach
        void start() {
            server = S3Server.start();
            server.createBucket("killed");
        }

        @AfterEach
        void stop() {
            server.close();
        }

        @Override
        protected String newStore() {
            return "s3://killed/store";
        }

        @Override
        protected int commits() {
            return COMMITS;
        }

        @Override
        protected Map<String, String> settings() {
            return Map.of("s3_endpoint_url", server.endpoint().toString(), "s3_region", "us-east-1");
        }
    }
}
