package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tokens grow with every hold, former holders are fenced, and the store's clock bounds what a holder's clock says. */
class LeaseFenceTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final SettableClock serverClock = new SettableClock();
    private final ObjectStore store = ObjectStores.open("memory:", serverClock);
    private final SettableClock clock = new SettableClock();
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Long> raised = new ArrayList<>();

    private LeaseLock lock(Clock time) {
        return new LeaseLock(
                store, "lock", time, random, new LeaseOptions(TTL, Duration.ZERO, ReleaseStyle.EXPIRE), token -> {
                    raised.add(token);
                    return token + 1;
                });
    }

    private Lease acquire(String owner) {
        return ((AcquireOutcome.Acquired) lock(clock).acquire(owner)).lease();
    }

    @Test
    void every_hold_has_a_larger_token_and_a_released_lock_raises_no_fence() {
        Lease first = acquire("a");
        first.renew();
        first.release();
        Lease second = acquire("b");

        assertThat(first.token()).isEqualTo(1);
        assertThat(second.token()).isEqualTo(2);
        assertThat(raised).isEmpty();
    }

    @Test
    void a_takeover_raises_the_fence_above_the_former_holder_first() {
        Lease former = acquire("a");
        clock.advance(TTL);
        Lease taken = acquire("b");

        assertThat(raised).containsExactly(former.token());
        assertThat(taken.token()).isGreaterThan(former.token());
        assertThat(former.raiseTo(taken.token())).isFalse();
    }

    @Test
    void a_break_raises_the_fence_above_the_holder_first() {
        Lease lease = acquire("a");

        BreakOutcome outcome = lock(clock).breakLock("a", lease.holder().acquiredAt());

        assertThat(outcome).isInstanceOf(BreakOutcome.Broken.class);
        assertThat(raised).containsExactly(lease.token());
        assertThat(lease.raiseTo(9)).isFalse();
        assertThat(acquire("b").token()).isGreaterThan(lease.token());
    }

    @Test
    void a_damaged_lock_is_replaced_after_the_fence_was_raised_above_every_token_that_its_holder_can_have() {
        for (int i = 0; i < 50; i++) {
            acquire("a").release();
        }
        Lease lease = acquire("a");
        store.put("lock", Payload.of("damaged"));

        assertThat(lock(clock).breakDamaged(lock(clock).damage().orElseThrow().breakToken()))
                .isTrue();

        long fence = raised.get(raised.size() - 1);
        assertThat(fence).isGreaterThan(lease.token());
        assertThat(lease.raiseTo(fence)).isFalse();
        assertThat(acquire("b").token()).isGreaterThan(fence);
    }

    @Test
    void a_holder_can_follow_a_fence_that_was_raised_without_a_takeover() {
        Lease lease = acquire("a");

        assertThat(lease.raiseTo(7)).isTrue();

        assertThat(lease.token()).isEqualTo(7);
        lease.release();
        assertThat(acquire("b").token()).isEqualTo(8);
    }

    @Test
    void a_dead_holder_whose_clock_was_a_day_ahead_blocks_no_longer_than_its_lease_by_the_clock_of_the_store() {
        SettableClock ahead = new SettableClock(SettableClock.START.plus(Duration.ofDays(1)));
        lock(ahead).acquire("dead");
        clock.advance(Duration.ofSeconds(20));
        serverClock.advance(Duration.ofSeconds(20));
        AcquireOutcome early = lock(clock).acquire("b");
        clock.advance(Duration.ofSeconds(20));
        serverClock.advance(Duration.ofSeconds(20));

        AcquireOutcome late = lock(clock).acquire("b");

        assertThat(early).isInstanceOf(AcquireOutcome.Held.class);
        assertThat(late).isInstanceOf(AcquireOutcome.Acquired.class);
        assertThat(raised).hasSize(1);
    }

    @Test
    void a_holder_whose_clock_is_ahead_keeps_the_lock_while_it_renews() {
        SettableClock ahead = new SettableClock(SettableClock.START.plus(Duration.ofDays(1)));
        Lease alive = ((AcquireOutcome.Acquired) lock(ahead).acquire("alive")).lease();
        for (int i = 0; i < 6; i++) {
            ahead.advance(Duration.ofSeconds(10));
            clock.advance(Duration.ofSeconds(10));
            serverClock.advance(Duration.ofSeconds(10));
            assertThat(alive.renew()).isTrue();
        }

        assertThat(lock(clock).acquire("b")).isInstanceOf(AcquireOutcome.Held.class);
    }
}
