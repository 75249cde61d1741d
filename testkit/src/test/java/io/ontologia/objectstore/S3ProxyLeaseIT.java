package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.StoreCapabilities.ConditionalDelete;
import io.ontologia.testkit.LeaseContract;
import io.ontologia.testkit.LeaseInterchangeContract;
import io.ontologia.testkit.S3Server;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases, the probe and the cache on S3Proxy. */
class S3ProxyLeaseIT {
    private static S3Server server;

    @BeforeAll
    static void startServer() {
        server = S3Server.start();
        server.createBucket("suite");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Nested
    class Leases extends LeaseContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/leases");
        }

        @Override
        protected int raceRounds() {
            return 20;
        }
    }

    @Nested
    class Interchange extends LeaseInterchangeContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/interchange");
        }
    }

    @Test
    void the_probe_finds_every_condition_enforced_and_leaves_nothing_behind() {
        try (ObjectStore store = server.open("s3://suite/probed")) {
            StoreCapabilities capabilities = StoreProbe.check(store, new SplittableRandom());

            assertThat(capabilities.conditionalDelete()).isEqualTo(ConditionalDelete.ENFORCED);
            assertThat(store.list(ListRequest.of("")).objects()).isEmpty();
        }
    }

    @Test
    void an_object_comes_through_the_cache_as_it_was_stored(@TempDir Path dir) {
        byte[] content = new byte[3_000_000];
        new SplittableRandom(1).nextBytes(content);
        try (ObjectStore store = server.open("s3://suite/cached");
                ObjectCache cache = new ObjectCache(dir, 10_000_000, Clock.system(), new SplittableRandom())) {
            store.put("a/b.parquet", Payload.of(content));

            for (int i = 0; i < 2; i++) {
                try (CachedObject object = cache.open(store, "a/b.parquet", Expected.anything())) {
                    assertThat(object.path()).hasBinaryContent(content);
                }
            }

            assertThat(cache.stats()).isEqualTo(new CacheStats(1, 1, 3_000_000, 0));
        }
    }
}
