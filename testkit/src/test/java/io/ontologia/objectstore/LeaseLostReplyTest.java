package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.LossyStore.Fate;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class LeaseLostReplyTest {
    private static final String KEY = "meta/locks/ontology_write.json";
    private static final Duration TTL = Duration.ofSeconds(30);

    private final SettableClock clock = new SettableClock();
    private final ObjectStore memory = ObjectStores.open("memory:", clock);
    private final Deque<Fate> fates = new ArrayDeque<>();
    private final LossyStore lossy = new LossyStore(memory, () -> fates.isEmpty() ? Fate.ANSWERED : fates.remove());
    private final SplittableRandom random = new SplittableRandom(42);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "ANSWERED")
    void a_lock_is_acquired_although_the_first_reply_is_lost(Fate fate) {
        fates.add(fate);

        Lease lease = acquire(lossy, "writer-a");

        assertOnlyHolder(lease);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "ANSWERED")
    void a_lock_is_taken_over_although_a_reply_is_lost(Fate fate) {
        acquire(memory, "writer-b");
        clock.advance(TTL);
        fates.addAll(List.of(Fate.ANSWERED, fate));

        Lease lease = acquire(lossy, "writer-a");

        assertOnlyHolder(lease);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "ANSWERED")
    void a_lease_is_renewed_although_a_reply_is_lost(Fate fate) {
        Lease lease = acquire(lossy, "writer-a");
        fates.add(fate);
        clock.advance(Duration.ofSeconds(10));

        boolean renewed = lease.renew();
        lossy.deliver();

        assertThat(renewed).isTrue();
        assertThat(inspect().expiresAt()).isEqualTo(clock.now().plus(TTL));
        assertOnlyHolder(lease);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "ANSWERED")
    void a_lock_is_released_although_a_reply_is_lost(Fate fate) {
        Lease lease = acquire(lossy, "writer-a");
        fates.add(fate);

        lease.release();
        lossy.deliver();

        assertThat(memory.get(KEY)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "ANSWERED")
    void a_lock_is_broken_although_a_reply_is_lost(Fate fate) {
        Lease lease = acquire(memory, "writer-a");
        fates.add(fate);

        BreakOutcome outcome = lock(lossy, Duration.ZERO).breakLock(inspect().breakToken());

        assertThat(outcome).isInstanceOf(BreakOutcome.Broken.class);
        assertThat(lease.renew()).isFalse();
    }

    @Test
    void an_acquire_that_lands_after_it_was_given_up_holds_nobody_up_for_longer_than_its_ttl() {
        fates.addAll(List.of(Fate.DELAYED, Fate.REQUEST_LOST, Fate.REQUEST_LOST));
        assertThatThrownBy(() -> lock(lossy, Duration.ZERO).acquire("writer-a"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNKNOWN_OUTCOME));

        lossy.deliver();
        AcquireOutcome before = lock(memory, Duration.ZERO).acquire("writer-b");
        clock.advance(TTL);
        AcquireOutcome after = lock(memory, Duration.ZERO).acquire("writer-b");

        assertThat(before).isInstanceOf(AcquireOutcome.Held.class);
        assertThat(after).isInstanceOf(AcquireOutcome.Acquired.class);
    }

    @Test
    void a_lost_request_does_not_win_against_somebody_who_was_answered() {
        fates.add(Fate.REQUEST_LOST);
        ObjectStore overtaken = new DelegatingStore(lossy) {
            @Override
            public PutOutcome putIfAbsent(String key, Payload payload) {
                PutOutcome outcome = super.putIfAbsent(key, payload);
                acquire(memory, "writer-b");
                return outcome;
            }
        };

        AcquireOutcome outcome = lock(overtaken, Duration.ZERO).acquire("writer-a");

        assertThat(outcome).isEqualTo(new AcquireOutcome.Held(inspect()));
        assertThat(inspect().ownerId()).isEqualTo("writer-b");
    }

    @Test
    void a_lease_whose_renewal_never_gets_a_reply_is_lost() {
        Lease lease = acquire(lossy, "writer-a");
        fates.addAll(List.of(Fate.REQUEST_LOST, Fate.REQUEST_LOST, Fate.REQUEST_LOST));

        assertThat(lease.renew()).isFalse();

        assertThatThrownBy(lease::ensureSafe)
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageContaining("the lock kept changing");
    }

    @Test
    void a_store_that_fails_loses_the_lease_and_does_not_disturb_its_release() {
        ObjectStore store = ObjectStores.open("memory:", clock);
        Lease lease = acquire(store, "writer-a");
        store.close();

        assertThat(lease.renew()).isFalse();

        assertThatThrownBy(lease::ensureSafe)
                .isInstanceOf(LeaseExpiredException.class)
                .hasMessageContaining("it was closed");
        assertThatCode(lease::close).doesNotThrowAnyException();
    }

    @Test
    void a_renewal_that_takes_longer_than_the_ttl_loses_the_lease() {
        ObjectStore slow = new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                clock.advance(TTL);
                return super.putIfMatch(key, payload, expected);
            }
        };
        Lease lease = acquire(slow, "writer-a");

        assertThat(lease.renew()).isFalse();
        assertThatThrownBy(lease::ensureSafe).isInstanceOf(LeaseExpiredException.class);
    }

    @Test
    void a_lease_that_was_seen_unsafe_during_its_renewal_stays_lost() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        ObjectStore watched = new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                Objects.requireNonNull(meanwhile.get()).run();
                return super.putIfMatch(key, payload, expected);
            }
        };
        Lease lease = acquire(watched, "writer-a");
        clock.advance(Duration.ofSeconds(25));
        meanwhile.set(() -> assertThatThrownBy(lease::ensureSafe).isInstanceOf(LeaseExpiredException.class));

        assertThat(lease.renew()).isFalse();

        assertThatThrownBy(lease::ensureSafe).isInstanceOf(LeaseExpiredException.class);
    }

    @Test
    void a_lock_is_busy_when_others_take_and_release_it_faster_than_it_can_be_read() {
        ObjectStore busy = new DelegatingStore(memory) {
            @Override
            public PutOutcome putIfAbsent(String key, Payload payload) {
                Lease other = acquire(memory, "writer-b");
                PutOutcome outcome = super.putIfAbsent(key, payload);
                other.release();
                return outcome;
            }
        };

        assertThatThrownBy(() -> lock(busy, Duration.ofSeconds(1)).acquire("writer-a"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.BUSY));
    }

    private LeaseLock lock(ObjectStore store, Duration acquireTimeout) {
        return new LeaseLock(
                store, KEY, clock, random, new LeaseOptions(TTL, acquireTimeout, ReleaseStyle.EXPIRE_AND_DELETE));
    }

    private Lease acquire(ObjectStore store, String ownerId) {
        AcquireOutcome outcome = lock(store, Duration.ZERO).acquire(ownerId);
        assertThat(outcome).isInstanceOf(AcquireOutcome.Acquired.class);
        return ((AcquireOutcome.Acquired) outcome).lease();
    }

    private LeaseHolder inspect() {
        return lock(memory, Duration.ZERO).inspect().orElseThrow();
    }

    private void assertOnlyHolder(Lease lease) {
        lossy.deliver();
        assertThatCode(lease::ensureSafe).doesNotThrowAnyException();
        assertThat(inspect().attemptId()).contains(lease.attemptId());
        assertThat(lock(memory, Duration.ZERO).acquire("writer-c")).isInstanceOf(AcquireOutcome.Held.class);
        assertThat(lease.renew()).isTrue();
    }
}
