package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ReleaseStyle;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The write lock lasts as long as the work that it was taken for, and not much longer. */
class WriterLeaseTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final SettableClock clock = new SettableClock();
    private final AtomicLong requests = new AtomicLong();
    private final ObjectStore store = new ForwardingObjectStore(ObjectStores.open("memory:", clock)) {
        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            requests.incrementAndGet();
            return request.get();
        }
    };
    private final WriterLease lease = new WriterLease(
            store,
            new StorageOptions(
                    StorageOptions.Mode.READ_WRITE,
                    StorageOptions.defaults().durability(),
                    Duration.ofSeconds(1),
                    TTL,
                    clock,
                    new SplittableRandom(1),
                    Map.of()),
            Threads.none());

    @Test
    void it_is_kept_and_renewed_while_the_work_takes_long() {
        WriterLease.Guard guard = lease.hold("me", Duration.ZERO);

        for (int i = 0; i < 20; i++) {
            clock.advance(TTL.dividedBy(4));
            assertThat(lease.step()).isPresent();
        }

        assertThatCode(guard::ensureSafe).doesNotThrowAnyException();
        assertThat(isHeld()).isTrue();
    }

    @Test
    void it_is_given_back_when_no_work_came_for_a_while() {
        WriterLease.Guard guard = lease.hold("me", Duration.ZERO);
        lease.rest();

        clock.advance(Duration.ofSeconds(2));
        assertThat(lease.step()).isPresent();
        clock.advance(Duration.ofSeconds(1));

        assertThat(lease.step()).isEmpty();
        assertThatThrownBy(guard::ensureSafe).isInstanceOf(LeaseExpiredException.class);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void it_is_given_back_after_a_time_although_work_goes_on() {
        lease.hold("me", Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            lease.rest();
            clock.advance(Duration.ofSeconds(1));
            assertThat(lease.step()).isPresent();
            lease.hold("me", Duration.ZERO);
        }
        lease.rest();
        clock.advance(Duration.ofSeconds(1));

        assertThat(lease.step()).isEmpty();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void it_is_given_back_within_a_second_when_another_writer_asks() {
        lease.hold("me", Duration.ZERO);
        lease.rest();
        assertThat(other(Duration.ofMillis(100))).isInstanceOf(AcquireOutcome.Held.class);
        clock.advance(Duration.ofSeconds(1));

        assertThat(lease.step()).isEmpty();
        assertThat(other(Duration.ZERO)).isInstanceOf(AcquireOutcome.Acquired.class);
    }

    @Test
    void among_other_writers_it_is_given_back_sooner() {
        lease.hold("me", Duration.ZERO);
        lease.rest();
        other(Duration.ofMillis(100));
        clock.advance(Duration.ofSeconds(1));
        lease.step();

        lease.hold("me", Duration.ZERO);
        lease.rest();
        clock.advance(Duration.ofMillis(500));

        assertThat(lease.step()).isEmpty();
    }

    @Test
    void a_lock_that_was_given_back_is_taken_again_with_one_request() {
        lease.hold("me", Duration.ZERO);
        lease.rest();
        clock.advance(Duration.ofSeconds(3));
        lease.step();
        long before = requests.get();

        lease.hold("me", Duration.ZERO);

        assertThat(requests.get() - before).isEqualTo(1);
    }

    private AcquireOutcome other(Duration timeout) {
        return new LeaseLock(
                        store,
                        Keys.LOCK,
                        clock,
                        new SplittableRandom(2),
                        new LeaseOptions(TTL, timeout, ReleaseStyle.EXPIRE))
                .acquire("other");
    }

    @Test
    void work_that_follows_in_time_has_it_at_once() {
        WriterLease.Guard first = lease.hold("me", Duration.ZERO);
        lease.rest();
        clock.advance(Duration.ofMillis(100));

        WriterLease.Guard second = lease.hold("me", Duration.ZERO);
        clock.advance(Duration.ofSeconds(1));

        assertThat(second).isSameAs(first);
        assertThat(lease.step()).isPresent();
        assertThatCode(second::ensureSafe).doesNotThrowAnyException();
    }

    private boolean isHeld() {
        return new LeaseLock(
                        store,
                        Keys.LOCK,
                        clock,
                        new SplittableRandom(1),
                        new LeaseOptions(TTL, Duration.ZERO, ReleaseStyle.EXPIRE))
                .inspect()
                .filter(holder -> !holder.hasExpired(clock.now()))
                .isPresent();
    }
}
