package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The keeper on its own thread, and the options it lives by. */
@Timeout(60)
class LeaseKeeperTest {
    private final SettableClock clock = new SettableClock();
    private final CountDownLatch renewed = new CountDownLatch(1);
    private final ObjectStore store = new DelegatingStore(ObjectStores.open("memory:", clock)) {
        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            PutOutcome outcome = super.putIfMatch(key, payload, expected);
            renewed.countDown();
            return outcome;
        }
    };
    private final LeaseLock lock =
            new LeaseLock(store, "lock", clock, new SplittableRandom(1), LeaseOptions.defaults());

    @Test
    void a_started_keeper_renews_without_being_asked() throws Exception {
        Lease lease = ((AcquireOutcome.Acquired) lock.acquire("writer-a")).lease();
        clock.advance(Duration.ofSeconds(10));

        BackgroundRunner runner = LeaseKeeper.start(lease);
        renewed.await();
        runner.close();

        Instant expiry = lock.inspect().orElseThrow().expiresAt();
        assertThat(expiry).isEqualTo(clock.now().plusSeconds(30));
        lease.close();
    }

    @Test
    void options_that_make_no_sense_are_refused() {
        LeaseOptions defaults = LeaseOptions.defaults();

        assertRefused(() -> defaults.ttl(Duration.ZERO));
        assertRefused(() -> defaults.ttl(Duration.ofSeconds(-1)));
        assertRefused(() -> defaults.ttl(Duration.ofNanos(1_500_000)));
        assertRefused(() -> defaults.ttl(Duration.ofDays(2)));
        assertRefused(() -> defaults.acquireTimeout(Duration.ofNanos(-1)));
        assertRefused(() -> defaults.acquireTimeout(Duration.ofDays(400)));
        assertRefused(() -> new LeaseLock(store, "../lock", clock, new SplittableRandom(1), defaults));
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }
}
