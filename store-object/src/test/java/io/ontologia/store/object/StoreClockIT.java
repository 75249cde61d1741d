package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.Clock;
import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A process whose clock is wrong can tell by the clock of the S3 server. */
class StoreClockIT {
    private static S3Server server;

    record Thing(@Key String id) implements Entity {}

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("clocks");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Duration ahead(Clock clock) {
        SessionOptions options = SessionOptions.defaults();
        options = options.storage(options.storage()
                .clock(clock)
                .settings(Map.of("s3_endpoint_url", server.endpoint().toString(), "s3_region", "us-east-1")));
        try (Session session = Ontologia.open("s3://clocks/store", options, Thing.class)) {
            return session.storage().clockAhead().orElseThrow();
        }
    }

    @Test
    void how_far_the_clock_is_from_that_of_the_server_is_known_after_opening() {
        assertThat(ahead(Clock.system()).abs()).isLessThan(Storage.CLOCK_TOLERANCE);
        assertThat(ahead(new SettableClock(Clock.system().now().plus(Duration.ofDays(1)))))
                .isCloseTo(Duration.ofDays(1), Storage.CLOCK_TOLERANCE);
        assertThat(ahead(new SettableClock(Clock.system().now().minus(Duration.ofHours(1)))))
                .isCloseTo(Duration.ofHours(-1), Storage.CLOCK_TOLERANCE);
    }
}
