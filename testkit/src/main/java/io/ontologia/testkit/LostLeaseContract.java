package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.HeadMovedException;
import io.ontologia.core.LeaseLostException;
import io.ontologia.core.LockKeeper;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Session;
import io.ontologia.core.WriteLease;
import io.ontologia.kernel.ErrorKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit under a lease is refused once the lease was lost, and a commit after a named head once the head moved. */
public abstract class LostLeaseContract extends StorageSuite {
    private static final OntologyType THING = entityType("Thing", integer("n"));
    private static final Duration TTL = Duration.ofSeconds(30);

    private Session ours;

    @BeforeEach
    final void openStore() {
        commit(List.of(THING), entity("Thing", "t1", Map.of("n", 1L)));
        ours = session("ours");
    }

    @AfterEach
    final void closeStore() {
        ours.discard();
        ours.close();
    }

    private Session session(String runtimeId) {
        return Ontologia.open(uri(), options(runtimeId), Model.of(THING));
    }

    private void othersWrite(long n) {
        try (Session theirs = session("theirs")) {
            theirs.ensure(entity("Thing", "t1", Map.of("n", n)));
            theirs.commit();
        }
    }

    private void breakLock() {
        try (Maintenance operator = maintain()) {
            operator.lock().breakLock(operator.lock().holder().orElseThrow().breakToken());
        }
    }

    private void assertRefused() {
        ours.ensure(entity("Thing", "t1", Map.of("n", 100L)));
        long before = ours.head();

        assertThatThrownBy(ours::commit).isInstanceOfSatisfying(LeaseLostException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
            assertThat(e).hasMessageContaining("'ours'").hasMessageContaining("nothing was stored");
        });
        assertThat(ours.head()).isEqualTo(before);
        assertThat(ours.pending()).isEqualTo(1);
    }

    @Test
    void a_commit_is_refused_when_the_lease_expired_and_another_session_wrote() {
        ours.lock().acquire();
        clock.advance(TTL);
        othersWrite(2);

        assertRefused();
        assertThat(entities("Thing").get("t1")).containsEntry("n", 2L);
    }

    @Test
    void a_commit_is_refused_when_the_lease_expired_and_another_holder_took_the_lock() {
        ours.lock().acquire();
        clock.advance(TTL);
        try (Session theirs = session("theirs");
                WriteLease taken = theirs.lock().acquire()) {
            assertRefused();
            assertThat(taken.renew()).isTrue();
        }

        assertRefused();
    }

    @Test
    void a_commit_is_refused_when_the_lock_was_broken() {
        ours.lock().acquire();
        breakLock();

        assertRefused();
    }

    @Test
    void a_commit_is_refused_when_the_lock_was_broken_and_another_session_wrote() {
        ours.lock().acquire();
        breakLock();
        othersWrite(2);

        assertRefused();
        assertThat(entities("Thing").get("t1")).containsEntry("n", 2L);
    }

    @Test
    void a_second_commit_under_a_lease_is_refused_when_it_was_lost_after_the_first() {
        ours.lock().acquire();
        ours.ensure(entity("Thing", "t1", Map.of("n", 2L)));
        ours.commit();
        breakLock();

        assertRefused();
    }

    @Test
    void a_commit_is_refused_after_the_keeper_found_the_lease_lost() {
        WriteLease lease = ours.lock().acquire();
        LockKeeper keeper = new LockKeeper(lease);
        clock.advance(TTL);
        othersWrite(2);
        keeper.step();

        assertThat(lease.isHeld()).isFalse();
        assertRefused();
    }

    @Test
    void a_commit_without_changes_is_refused_too() {
        ours.lock().acquire();
        breakLock();
        ours.ensure(entity("Thing", "t1", Map.of("n", 1L)));

        assertThatThrownBy(ours::commit).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void work_under_the_lock_fails_when_it_is_broken_meanwhile() {
        assertThatThrownBy(() -> ours.lock().holding(Duration.ZERO, lease -> {
                    breakLock();
                    ours.ensure(entity("Thing", "t1", Map.of("n", 2L)));
                    return ours.commit();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(entities("Thing").get("t1")).containsEntry("n", 1L);
    }

    @Test
    void a_new_lease_lets_commits_pass_again() {
        WriteLease lost = ours.lock().acquire();
        clock.advance(TTL);
        othersWrite(2);
        assertRefused();
        lost.close();

        try (WriteLease again = ours.lock().acquire()) {
            assertThat(ours.commit()).isInstanceOf(CommitResult.Committed.class);
            assertThat(again.renew()).isTrue();
        }
    }

    @Test
    void commits_after_a_lost_lease_was_closed_are_single_commits_again() {
        WriteLease lost = ours.lock().acquire();
        breakLock();
        lost.close();
        ours.ensure(entity("Thing", "t1", Map.of("n", 2L)));

        assertThat(ours.commit()).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void a_commit_passes_when_the_lease_expired_and_the_lock_was_not_used_since() {
        try (WriteLease lease = ours.lock().acquire()) {
            clock.advance(TTL.multipliedBy(2));
            ours.ensure(entity("Thing", "t1", Map.of("n", 2L)));

            assertThat(ours.commit()).isInstanceOf(CommitResult.Committed.class);
            assertThat(lease.renew()).isTrue();
        }
    }

    @Test
    void several_commits_pass_under_one_lease() {
        try (WriteLease lease = ours.lock().acquire()) {
            for (long n = 2; n < 6; n++) {
                clock.advance(Duration.ofSeconds(20));
                assertThat(lease.renew()).isTrue();
                ours.ensure(entity("Thing", "t1", Map.of("n", n)));
                assertThat(ours.commit()).isInstanceOf(CommitResult.Committed.class);
            }
        }
        othersWrite(9);
        assertThat(newest().id()).isEqualTo(6);
    }

    @Test
    void a_commit_after_a_named_head_passes_only_while_it_is_the_newest() {
        ours.ensure(entity("Thing", "t1", Map.of("n", 2L)));
        assertThat(ours.commitAfter(1, Map.of())).isInstanceOf(CommitResult.Committed.class);
        othersWrite(3);
        ours.ensure(entity("Thing", "t1", Map.of("n", 4L)));

        assertThatThrownBy(() -> ours.commitAfter(2, Map.of())).isInstanceOfSatisfying(HeadMovedException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
            assertThat(e.details()).containsEntry("expected_head", 2L).containsEntry("head", 3L);
        });
        assertThat(ours.pending()).isEqualTo(1);
        assertThat(ours.commitAfter(3, Map.of())).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void a_named_head_counts_also_when_there_is_nothing_to_do() {
        ours.ensure(entity("Thing", "t1", Map.of("n", 1L)));

        assertThatThrownBy(() -> ours.commitAfter(0, Map.of())).isInstanceOf(HeadMovedException.class);
        assertThat(ours.commitAfter(1, Map.of())).isEqualTo(new CommitResult.NothingToDo(1));
        assertThatThrownBy(() -> ours.commitAfter(7, Map.of())).isInstanceOf(HeadMovedException.class);
    }

    @Test
    void a_commit_under_a_lease_can_name_its_head() {
        try (WriteLease lease = ours.lock().acquire()) {
            ours.ensure(entity("Thing", "t1", Map.of("n", 2L)));

            assertThatThrownBy(() -> ours.commitAfter(0, Map.of())).isInstanceOf(HeadMovedException.class);
            assertThat(ours.commitAfter(1, Map.of())).isInstanceOf(CommitResult.Committed.class);
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
