package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.LeaseExpiredException;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ReleaseStyle;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The write lock lasts as long as the work that it was taken for, and not much longer. */
class WriterLeaseTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final SettableClock clock = new SettableClock();
    private final ObjectStore store = ObjectStores.open("memory:", clock);
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
    void it_is_given_back_soon_after_the_last_work() {
        WriterLease.Guard guard = lease.hold("me", Duration.ZERO);
        clock.advance(Duration.ofSeconds(5));
        lease.rest();

        assertThat(lease.step()).isPresent();
        clock.advance(Duration.ofSeconds(1));

        assertThat(lease.step()).isEmpty();
        assertThatThrownBy(guard::ensureSafe).isInstanceOf(LeaseExpiredException.class);
        assertThat(isHeld()).isFalse();
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
