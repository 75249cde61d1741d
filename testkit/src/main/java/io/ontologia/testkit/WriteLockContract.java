package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.LockHolder;
import io.ontologia.core.LockKeeper;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.WriteLease;
import io.ontologia.core.WriteLock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the write lock of a store behaves, on every backend. */
public abstract class WriteLockContract extends StorageSuite {
    private static final OntologyType THING = entityType("Thing", integer("n"));
    private static final Duration TTL = Duration.ofSeconds(30);

    private Maintenance ours;
    private Maintenance theirs;

    @BeforeEach
    final void openTwice() {
        commit(List.of(THING), entity("Thing", "t1", Map.of("n", 1L)));
        ours = Ontologia.maintain(uri(), options("ours"));
        theirs = Ontologia.maintain(uri(), options("theirs"));
    }

    @AfterEach
    final void closeBoth() {
        ours.close();
        theirs.close();
    }

    private Session session(String runtimeId) {
        return Ontologia.open(uri(), options(runtimeId), Model.of(THING));
    }

    @Test
    void everybody_sees_who_holds_the_lock_and_until_when() {
        try (WriteLease lease = ours.lock().acquire()) {
            LockHolder seen = theirs.lock().holder().orElseThrow();

            assertThat(seen).isEqualTo(lease.holder());
            assertThat(seen.ownerId()).isEqualTo("ours");
            assertThat(seen.acquiredAt()).isEqualTo(SettableClock.START);
            assertThat(seen.expiresAt()).isEqualTo(SettableClock.START.plus(TTL));
        }
        assertThat(theirs.lock().holder()).isEmpty();
    }

    @Test
    void a_lock_that_a_dead_writer_left_is_worth_knowing_and_no_problem() {
        ours.lock().acquire();
        clock.advance(TTL.plusSeconds(1));

        assertThat(theirs.check((step, done, total) -> {})).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("expired-lock");
            assertThat(finding.isProblem()).isFalse();
        });
    }

    @Test
    void who_comes_second_waits_for_the_timeout_and_is_told_who_and_how_long() {
        try (WriteLease lease = ours.lock().acquire()) {
            assertThatThrownBy(() -> theirs.lock().acquire(Duration.ofSeconds(7)))
                    .isInstanceOfSatisfying(OntologiaException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.BUSY);
                        assertThat(e).hasMessageContaining("'ours'").hasMessageContaining("2026-01-01T00:00:30");
                        assertThat(e.details())
                                .containsEntry("owner_id", "ours")
                                .containsKey("expires_at");
                    });

            assertThat(clock.now()).isEqualTo(SettableClock.START.plusSeconds(7));
            assertThat(lease.renew()).isTrue();
        }
    }

    @Test
    void a_lock_is_not_given_twice_to_the_same_owner() {
        try (WriteLease lease = ours.lock().acquire()) {
            assertThatThrownBy(() -> ours.lock().acquire(Duration.ZERO))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.BUSY));
            assertThat(lease.renew()).isTrue();
        }
    }

    @Test
    void a_lock_whose_time_is_over_goes_to_the_next_one_and_its_former_holder_finds_out() {
        WriteLease lost = ours.lock().acquire();
        clock.advance(TTL);

        WriteLease taken = theirs.lock().acquire(Duration.ZERO);

        assertThat(lost.renew()).isFalse();
        assertThat(lost.isHeld()).isFalse();
        assertThat(lost.untilRenewal()).isEmpty();
        lost.close();
        assertThat(ours.lock().holder()).contains(taken.holder());
        taken.close();
    }

    @Test
    void who_waits_gets_the_lock_when_its_time_is_over() {
        WriteLease former = ours.lock().acquire();
        clock.advance(TTL.minusSeconds(2));

        try (WriteLease lease = theirs.lock().acquire(Duration.ofSeconds(5))) {
            assertThat(lease.holder().ownerId()).isEqualTo("theirs");
            assertThat(former.renew()).isFalse();
        }
    }

    @Test
    void renewal_moves_the_expiry_and_keeps_the_moment_of_acquisition() {
        try (WriteLease lease = ours.lock().acquire()) {
            clock.advance(Duration.ofSeconds(20));

            boolean renewed = lease.renew();

            assertThat(renewed).isTrue();
            LockHolder seen = theirs.lock().holder().orElseThrow();
            assertThat(seen.acquiredAt()).isEqualTo(SettableClock.START);
            assertThat(seen.expiresAt()).isEqualTo(SettableClock.START.plusSeconds(50));
        }
    }

    @Test
    void an_expired_lock_that_nobody_took_can_still_be_renewed() {
        try (WriteLease lease = ours.lock().acquire()) {
            clock.advance(TTL.multipliedBy(2));

            assertThat(lease.renew()).isTrue();
        }
    }

    @Test
    void a_late_release_does_not_end_the_next_hold_of_the_same_owner() {
        WriteLease first = ours.lock().acquire();
        clock.advance(TTL);
        WriteLease second = ours.lock().acquire();

        first.close();

        assertThat(theirs.lock().holder()).contains(second.holder());
        second.close();
    }

    @Test
    void the_keeper_renews_after_a_third_of_the_time_and_not_before() {
        try (WriteLease lease = ours.lock().acquire()) {
            LockKeeper keeper = new LockKeeper(lease);

            clock.advance(Duration.ofSeconds(9));
            assertThat(keeper.step()).contains(Duration.ofSeconds(1));
            assertThat(lease.holder().expiresAt()).isEqualTo(SettableClock.START.plus(TTL));

            clock.advance(Duration.ofSeconds(1));
            assertThat(keeper.step()).contains(Duration.ofSeconds(10));
            assertThat(lease.holder().expiresAt()).isEqualTo(SettableClock.START.plusSeconds(40));
        }
    }

    @Test
    void the_keeper_stops_when_the_lease_is_closed_or_lost() {
        WriteLease closed = ours.lock().acquire();
        closed.close();
        WriteLease lost = ours.lock().acquire();
        theirs.lock().breakLock(lost.holder().breakToken());
        clock.advance(Duration.ofSeconds(10));

        assertThat(new LockKeeper(closed).step()).isEmpty();
        assertThat(new LockKeeper(lost).step()).isEmpty();
        assertThat(lost.isHeld()).isFalse();
    }

    @Test
    void work_under_the_lock_has_it_until_its_end_and_not_longer() {
        String seen = ours.lock().holding(Duration.ZERO, lease -> {
            assertThat(theirs.lock().holder()).contains(lease.holder());
            return "done";
        });

        assertThat(seen).isEqualTo("done");
        assertThat(theirs.lock().holder()).isEmpty();
    }

    @Test
    void work_that_fails_gives_the_lock_back() {
        assertThatThrownBy(() -> ours.lock().holding(Duration.ZERO, lease -> {
                    throw new IllegalStateException("failed on purpose");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(theirs.lock().holder()).isEmpty();
    }

    @Test
    void of_many_that_want_the_lock_one_has_it_at_a_time() {
        AtomicInteger inside = new AtomicInteger();
        try (Racers racers = new Racers(4)) {
            List<Integer> most = racers.race(number -> {
                int seen = 0;
                try (Maintenance racer = Ontologia.maintain(uri(), patient("racer" + number))) {
                    for (int round = 0; round < 10; round++) {
                        seen = Math.max(seen, racer.lock().holding(Duration.ofMinutes(2), lease -> {
                            int together = inside.incrementAndGet();
                            racer.storage().head();
                            inside.decrementAndGet();
                            return together;
                        }));
                    }
                }
                return seen;
            });

            assertThat(most).containsOnly(1);
        }
        assertThat(ours.lock().holder()).isEmpty();
    }

    @Test
    void commits_of_others_are_refused_while_the_lock_is_held_and_pass_afterwards() {
        try (Session session = session("session")) {
            session.ensure(entity("Thing", "t1", Map.of("n", 2L)));
            try (WriteLease lease = ours.lock().acquire()) {
                assertThatThrownBy(session::commit).isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.BUSY);
                    assertThat(e).hasMessageContaining("'ours'");
                });
                assertThat(session.head()).isEqualTo(1);
                assertThat(lease.isHeld()).isTrue();
            }

            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
        }
    }

    @Test
    void commits_of_the_holder_pass() {
        try (Session session = session("ours");
                WriteLease lease = session.lock().acquire()) {
            session.ensure(entity("Thing", "t1", Map.of("n", 2L)));

            CommitResult result = session.commit();

            assertThat(result).isInstanceOf(CommitResult.Committed.class);
            assertThat(lease.renew()).isTrue();
        }
    }

    @Test
    void commits_pass_when_the_holder_died_and_its_time_is_over() {
        ours.lock().acquire();
        clock.advance(TTL);

        commit(List.of(THING), entity("Thing", "t1", Map.of("n", 2L)));

        assertThat(newest().id()).isEqualTo(2);
    }

    @Test
    void a_lock_is_broken_only_with_the_token_of_its_present_holder() {
        WriteLock lock = theirs.lock();
        WriteLease first = ours.lock().acquire();
        String token = lock.holder().orElseThrow().breakToken();
        clock.advance(Duration.ofSeconds(15));
        first.renew();
        assertThat(lock.holder().orElseThrow().breakToken()).isEqualTo(token);

        LockHolder former = lock.breakLock(token);

        assertThat(former.ownerId()).isEqualTo("ours");
        assertThat(lock.holder()).isEmpty();
        assertThat(first.renew()).isFalse();
        WriteLease second = ours.lock().acquire();
        assertThatThrownBy(() -> lock.breakLock(token))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        assertThat(second.renew()).isTrue();
        second.close();
    }

    @Test
    void breaking_a_lock_that_nobody_holds_says_so() {
        assertThatThrownBy(() -> ours.lock().breakLock("0123456789abcdef"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND));
    }

    /** Checks that a holder whose clock was a day ahead, and that died, blocks writers no longer than its lease lasts. */
    protected final void assertBlockedNoLongerThanTheLease() {
        SettableClock ahead = new SettableClock(SettableClock.START.plus(Duration.ofDays(1)));
        SessionOptions wrong = options("dead");
        Maintenance dead =
                Ontologia.maintain(uri(), wrong.storage(wrong.storage().clock(ahead)));
        dead.lock().acquire();
        clock.advance(TTL.plusSeconds(10));

        commit(List.of(THING), entity("Thing", "t1", Map.of("n", 2L)));

        assertThat(newest().id()).isEqualTo(2);
        dead.close();
    }
}
