package io.ontologia.store.object;

import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.StoppedWritersContract;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Writers on objects are stopped and continued. Each has a cache of its own, as on machines of their own. */
class StoppedWritersIT {
    @Nested
    class InFolder extends StoppedWritersContract {
        @Override
        protected String newStore() {
            return folder.resolve("store").toUri().toString();
        }
    }

    @Nested
    class OnS3 extends StoppedWritersContract {
        private S3Server server;

        @BeforeEach
        void start() {
            server = S3Server.start();
            server.createBucket("stopped");
        }

        @AfterEach
        void stop() {
            server.close();
        }

        @Override
        protected String newStore() {
            return "s3://stopped/store";
        }

        @Override
        protected Map<String, String> settings() {
            return Map.of("s3_endpoint_url", server.endpoint().toString(), "s3_region", "us-east-1");
        }
    }
}
