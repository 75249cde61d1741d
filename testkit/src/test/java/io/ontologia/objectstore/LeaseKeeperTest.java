package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "BUSY", "UNKNOWN_OUTCOME"})
    void a_renewal_that_a_full_disk_prevents_is_tried_again_and_the_lease_stays_safe_meanwhile(ErrorKind kind) {
        AtomicBoolean full = new AtomicBoolean();
        ObjectStore disk = new DelegatingStore(store) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                if (full.get()) {
                    throw new OntologiaException(kind, "cannot store '" + key + "'", "no space left", "free some");
                }
                return super.putIfMatch(key, payload, expected);
            }
        };
        Lease lease = ((AcquireOutcome.Acquired)
                        new LeaseLock(disk, "lock", clock, new SplittableRandom(1), LeaseOptions.defaults())
                                .acquire("writer-a"))
                .lease();
        LeaseKeeper keeper = new LeaseKeeper(lease);
        full.set(true);
        clock.advance(Duration.ofSeconds(10));

        Optional<Duration> pause = keeper.step();

        assertThat(pause)
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofMillis(1), Duration.ofSeconds(2)));
        assertThatCode(lease::ensureSafe).doesNotThrowAnyException();
        full.set(false);
        clock.advance(pause.orElseThrow());
        keeper.step();
        clock.advance(Duration.ofSeconds(15));
        assertThatCode(lease::ensureSafe).doesNotThrowAnyException();
        assertThat(lock.inspect().orElseThrow().expiresAt()).isAfter(clock.now());
        lease.close();
    }

    @Test
    void a_lease_that_cannot_be_renewed_until_its_time_is_over_is_lost() {
        ObjectStore full = new DelegatingStore(store) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot store it", "no space left", "free some");
            }
        };
        Lease lease = ((AcquireOutcome.Acquired)
                        new LeaseLock(full, "lock", clock, new SplittableRandom(1), LeaseOptions.defaults())
                                .acquire("writer-a"))
                .lease();
        LeaseKeeper keeper = new LeaseKeeper(lease);

        for (Optional<Duration> wait = keeper.step(); wait.isPresent(); wait = keeper.step()) {
            clock.advance(wait.get());
        }

        assertThat(clock.now()).isEqualTo(SettableClock.START.plusSeconds(30));
        assertThatThrownBy(lease::ensureSafe).isInstanceOf(LeaseExpiredException.class);
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
