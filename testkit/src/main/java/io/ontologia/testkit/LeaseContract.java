package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.objectstore.AcquireOutcome;
import io.ontologia.objectstore.Lease;
import io.ontologia.objectstore.LeaseHolder;
import io.ontologia.objectstore.LeaseKeeper;
import io.ontologia.objectstore.ReleaseStyle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases on a store: who gets one, for how long, and who loses it. Time is the test's own; nothing sleeps. */
public abstract class LeaseContract extends LeaseSuite {
    private static final Duration TICK = Duration.ofNanos(1000);

    @Test
    void a_free_lock_is_taken_and_its_lease_is_safe() {
        Lease lease = acquire("writer-a");

        assertThatCode(lease::ensureSafe).doesNotThrowAnyException();
        assertThat(lock().inspect())
                .contains(new LeaseHolder(
                        "writer-a", clock.now(), clock.now().plus(TTL), Optional.of(lease.attemptId()), 1));
    }

    @Test
    void the_lock_object_is_what_other_implementations_expect() {
        acquire("writer-a");

        JsonObject stored = JsonObject.parse("lock", read(lockKey()).bytes());

        assertThat(stored.fields())
                .containsEntry("owner_id", "writer-a")
                .containsEntry("acquired_at", "2026-01-01T00:00:00.000000+00:00")
                .containsEntry("expires_at", "2026-01-01T00:00:30.000000+00:00")
                .containsEntry("lease_ttl_ms", 30_000L)
                .containsOnlyKeys("owner_id", "acquired_at", "expires_at", "lease_ttl_ms", "attempt_id", "token");
    }

    @Test
    void a_held_lock_is_refused_after_the_time_to_wait_with_the_name_of_its_holder() {
        Lease holder = acquire("writer-a");
        Instant before = clock.now();

        AcquireOutcome outcome =
                lock(options().acquireTimeout(Duration.ofSeconds(5))).acquire("writer-b");

        assertThat(holderOf(outcome).attemptId()).contains(holder.attemptId());
        assertThat(Duration.between(before, clock.now())).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void without_time_to_wait_a_held_lock_is_refused_at_once() {
        acquire("writer-a");
        Instant before = clock.now();

        AcquireOutcome outcome = lock(options().acquireTimeout(Duration.ZERO)).acquire("writer-b");

        assertThat(holderOf(outcome).ownerId()).isEqualTo("writer-a");
        assertThat(clock.now()).isEqualTo(before);
    }

    @Test
    void a_lock_is_taken_over_when_its_lease_expires_and_not_a_moment_before() {
        acquire("writer-a");

        clock.advance(TTL.minus(TICK));
        AcquireOutcome before = tryOnce("writer-b");
        clock.advance(TICK);
        AcquireOutcome after = tryOnce("writer-b");

        assertThat(holderOf(before).ownerId()).isEqualTo("writer-a");
        assertThat(leaseOf(after).ownerId()).isEqualTo("writer-b");
    }

    @Test
    void whoever_waits_long_enough_gets_the_lock_when_its_lease_expires() {
        acquire("writer-a");

        AcquireOutcome outcome =
                lock(options().acquireTimeout(TTL.multipliedBy(2))).acquire("writer-b");

        assertThat(leaseOf(outcome).ownerId()).isEqualTo("writer-b");
        assertThat(clock.now()).isBetween(START.plus(TTL), START.plus(TTL).plusMillis(30));
    }

    @Test
    void a_renewed_lease_lasts_for_a_full_ttl_from_the_renewal_on() {
        Lease lease = acquire("writer-a");

        clock.advance(Duration.ofSeconds(10));
        boolean renewed = lease.renew();
        clock.advance(TTL.minus(TICK));

        assertThat(renewed).isTrue();
        assertThat(holderOf(tryOnce("writer-b")).acquiredAt()).isEqualTo(START);
        clock.advance(TICK);
        leaseOf(tryOnce("writer-b"));
    }

    @Test
    void a_lease_is_safe_until_a_third_of_its_ttl_is_left() {
        Lease lease = acquire("writer-a");

        clock.advance(Duration.ofSeconds(20).minus(TICK));
        assertThatCode(lease::ensureSafe).doesNotThrowAnyException();
        clock.advance(TICK);

        assertUnsafe(lease);
    }

    @Test
    void a_lease_that_was_unsafe_once_stays_unsafe() {
        Lease lease = acquire("writer-a");
        clock.advance(Duration.ofSeconds(20));
        assertUnsafe(lease);

        clock.setWallClock(START);

        assertUnsafe(lease);
        assertThat(lease.renew()).isFalse();
        assertUnsafe(lease);
    }

    @Test
    void a_paused_holder_that_wakes_up_late_can_do_no_harm() {
        Lease late = acquire("writer-a");
        clock.advance(TTL.plusSeconds(60));
        acquire("writer-b");
        String taken = read(lockKey()).text();

        assertThat(late.renew()).isFalse();
        assertUnsafe(late);
        late.release();

        assertThat(read(lockKey()).text()).isEqualTo(taken);
    }

    @Test
    void a_paused_holder_notices_also_when_the_wall_clock_was_set_back_meanwhile() {
        Lease late = acquire("writer-a");
        clock.advance(TTL.plusSeconds(60));
        clock.setWallClock(START);

        assertThat(late.renew()).isFalse();
        assertUnsafe(late);
    }

    @Test
    void a_wall_clock_that_jumps_ahead_makes_a_lease_unsafe_because_others_believe_it_too() {
        Lease lease = acquire("writer-a");

        clock.setWallClock(START.plus(TTL));

        assertUnsafe(lease);
    }

    @ParameterizedTest
    @EnumSource(ReleaseStyle.class)
    void a_released_lock_is_free_at_once_also_for_a_clock_that_is_behind(ReleaseStyle style) {
        Lease lease = leaseOf(lock(options().releaseStyle(supported(style))).acquire("writer-a"));

        lease.release();
        clock.setWallClock(START.minus(TTL));

        assertThat(lock().inspect()).isEmpty();
        assertThat(leaseOf(tryOnce("writer-b")).ownerId()).isEqualTo("writer-b");
        assertUnsafe(lease);
    }

    @Test
    void where_conditional_deletes_work_a_released_lock_leaves_nothing_behind() {
        Lease lease = leaseOf(lock(options().releaseStyle(supported(ReleaseStyle.EXPIRE_AND_DELETE)))
                .acquire("a"));

        lease.close();

        assertThat(store().get(lockKey()).isEmpty()).isEqualTo(enforcesConditionalDelete());
    }

    @Test
    void a_release_by_somebody_who_is_not_the_owner_changes_nothing() {
        Lease former = acquire("writer-a");
        clock.advance(TTL);
        Lease owner = acquire("writer-b");

        former.release();
        former.release();

        assertThatCode(owner::ensureSafe).doesNotThrowAnyException();
        assertThat(lock().inspect().flatMap(LeaseHolder::attemptId)).contains(owner.attemptId());
        assertThat(owner.renew()).isTrue();
    }

    @Test
    void a_release_of_a_lock_that_is_gone_creates_none() {
        Lease lease = acquire("writer-a");
        store().delete(lockKey());

        lease.release();

        assertThat(store().get(lockKey())).isEmpty();
    }

    @Test
    void two_holders_of_one_name_are_not_confused() {
        Lease former = acquire("writer-a");
        clock.advance(TTL);
        Lease owner = acquire("writer-a");

        assertThat(former.renew()).isFalse();
        former.release();

        assertThat(owner.attemptId()).isNotEqualTo(former.attemptId());
        assertThat(owner.renew()).isTrue();
        assertThat(holderOf(tryOnce("writer-a")).attemptId()).contains(owner.attemptId());
    }

    @Test
    void two_renewals_at_one_moment_are_two_different_objects() {
        Lease lease = acquire("writer-a");
        String acquired = read(lockKey()).text();

        lease.renew();
        String renewed = read(lockKey()).text();
        lease.renew();

        assertThat(List.of(acquired, renewed, read(lockKey()).text())).doesNotHaveDuplicates();
    }

    @Test
    void a_lost_lock_object_loses_the_lease() {
        Lease lease = acquire("writer-a");
        store().delete(lockKey());

        assertThat(lease.renew()).isFalse();
        assertUnsafe(lease);
    }

    @Test
    void a_lease_may_not_have_an_owner_without_a_name() {
        assertFails(ErrorKind.INVALID_INPUT, () -> lock().acquire(" "));
    }

    @Test
    void of_many_that_race_for_a_lock_exactly_one_gets_it() {
        try (Racers racers = new Racers(8)) {
            for (int i = 0; i < Math.min(50, raceRounds()); i++) {
                List<AcquireOutcome> outcomes = racers.race(n -> tryOnce("writer-" + n));

                List<Lease> leases = leases(outcomes);
                assertThat(leases).hasSize(1);
                assertThat(lock().inspect().flatMap(LeaseHolder::attemptId))
                        .contains(leases.get(0).attemptId());
                if (i % 2 == 0) {
                    leases.get(0).release();
                } else {
                    clock.advance(TTL);
                }
            }
        }
    }

    @Test
    void a_keeper_renews_whenever_a_third_of_the_ttl_has_passed() {
        Lease lease = acquire("writer-a");
        LeaseKeeper keeper = new LeaseKeeper(lease);

        assertThat(keeper.step()).contains(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(4));
        assertThat(keeper.step()).contains(Duration.ofSeconds(6));
        assertThat(expiry()).isEqualTo(START.plus(TTL));
        clock.advance(Duration.ofSeconds(6));
        assertThat(keeper.step()).contains(Duration.ofSeconds(10));

        assertThat(expiry()).isEqualTo(START.plusSeconds(10).plus(TTL));
    }

    @Test
    void a_keeper_holds_a_lease_for_as_long_as_it_is_stepped() {
        Lease lease = acquire("writer-a");
        LeaseKeeper keeper = new LeaseKeeper(lease);

        for (int i = 0; i < 20; i++) {
            clock.advance(keeper.step().orElseThrow());
            assertThatCode(lease::ensureSafe).doesNotThrowAnyException();
            holderOf(tryOnce("writer-b"));
        }
    }

    @Test
    void a_keeper_ends_when_the_lease_is_lost() {
        Lease lease = acquire("writer-a");
        LeaseKeeper keeper = new LeaseKeeper(lease);
        clock.advance(TTL);
        acquire("writer-b");

        assertThat(keeper.step()).isEmpty();
        assertUnsafe(lease);
        assertThat(keeper.step()).isEmpty();
    }

    @Test
    void a_keeper_ends_when_the_lease_is_released() {
        Lease lease = acquire("writer-a");
        LeaseKeeper keeper = new LeaseKeeper(lease);

        lease.release();
        clock.advance(TTL);

        assertThat(keeper.step()).isEmpty();
        assertThat(lock().inspect()).isEmpty();
    }
}
