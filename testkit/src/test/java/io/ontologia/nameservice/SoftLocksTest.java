package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SoftLocksTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final Duration TTL = Duration.ofMinutes(3);

    private final SettableClock clock = new SettableClock();
    private final Nameservice names =
            Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    private final SoftLocks locks = new SoftLocks(names, clock, new SplittableRandom(1));

    @BeforeEach
    void create() {
        names.create(NewRecord.ledger(DB));
        names.push(
                DB,
                Concern.STATUS,
                ConcernValue.of(1, Map.of("state", "ready")),
                ConcernValue.of(2, Map.of("state", "ready", "queue_depth", 3)));
    }

    @Test
    void a_free_lock_is_claimed_and_shows_in_the_status() {
        SoftLock lock = claim("indexer-1");

        Map<String, @Nullable Object> status = status();
        assertThat(status).containsEntry("state", "indexing").containsEntry("queue_depth", 3L);
        assertThat(ConcernPayload.of(status).object("index_lock").orElseThrow().fields())
                .containsEntry("holder", "indexer-1")
                .containsEntry("target_t", 45L)
                .containsEntry("acquired_at", SettableClock.START.getEpochSecond())
                .containsEntry("expires_at", SettableClock.START.plus(TTL).getEpochSecond());
        assertThat(locks.holder(DB, LockKind.INDEX)).contains(lock.holder());
    }

    @Test
    void a_held_lock_is_not_given_to_another_before_its_end_and_the_margin() {
        SoftLock lock = claim("indexer-1");

        clock.advance(TTL.plus(TTL.dividedBy(3)));
        ClaimOutcome tooEarly = locks.claim(DB, LockKind.INDEX, "indexer-2", 45, TTL);
        clock.advance(Duration.ofSeconds(1));
        ClaimOutcome inTime = locks.claim(DB, LockKind.INDEX, "indexer-2", 45, TTL);

        assertThat(tooEarly).isEqualTo(new ClaimOutcome.Held(lock.holder()));
        assertThat(inTime).isInstanceOf(ClaimOutcome.Claimed.class);
    }

    @Test
    void locks_of_different_kinds_do_not_exclude_each_other() {
        claim("indexer-1");

        assertThat(locks.claim(DB, LockKind.MIGRATION, "mover", 1, TTL)).isInstanceOf(ClaimOutcome.Claimed.class);
    }

    @Test
    void a_holder_that_refreshes_keeps_the_lock_and_tells_its_progress() {
        SoftLock lock = claim("indexer-1");

        for (int i = 1; i <= 5; i++) {
            clock.advance(TTL.dividedBy(2));
            assertThat(lock.progress(i / 10.0)).isInstanceOf(LockOutcome.Done.class);
            assertThat(lock.isSafe()).isTrue();
        }

        assertThat(locks.claim(DB, LockKind.INDEX, "indexer-2", 45, TTL)).isInstanceOf(ClaimOutcome.Held.class);
        assertThat(status()).containsEntry("progress", 0.5).containsEntry("queue_depth", 3L);
    }

    @Test
    void a_holder_publishes_and_releases() {
        SoftLock lock = claim("indexer-1");

        LockOutcome published = lock.publishIndex(ConcernPayload.of(Map.of("address", "snapshot")));
        LockOutcome released = lock.release();

        assertThat(published).isEqualTo(new LockOutcome.Done(ConcernValue.of(1, Map.of("address", "snapshot"))));
        assertThat(released).isInstanceOf(LockOutcome.Done.class);
        assertThat(status()).containsOnlyKeys("state", "queue_depth").containsEntry("state", "ready");
        assertThat(locks.holder(DB, LockKind.INDEX)).isEmpty();
        assertThat(claim("indexer-2").index().watermark()).isEqualTo(1);
    }

    @Test
    void a_former_holder_can_neither_refresh_nor_release_nor_publish() {
        SoftLock former = claim("indexer-1");
        clock.advance(TTL.multipliedBy(2));
        SoftLock current = claim("indexer-2");
        Map<String, @Nullable Object> before = status();

        assertThat(former.refresh()).isInstanceOf(LockOutcome.Lost.class);
        assertThat(former.progress(0.9)).isInstanceOf(LockOutcome.Lost.class);
        assertThat(former.release()).isInstanceOf(LockOutcome.Lost.class);
        assertThat(former.publishIndex(ConcernPayload.of(Map.of("address", "late"))))
                .isInstanceOf(LockOutcome.Lost.class);

        assertThat(status()).isEqualTo(before);
        assertThat(current.publishIndex(ConcernPayload.of(Map.of("address", "new"))))
                .isInstanceOf(LockOutcome.Done.class);
        assertThat(names.concern(DB, Concern.INDEX)
                        .orElseThrow()
                        .payload()
                        .orElseThrow()
                        .fields())
                .containsOnly(Map.entry("address", "new"));
    }

    @Test
    void a_former_holder_that_checked_its_lock_before_the_takeover_still_cannot_publish() {
        SoftLock former = claim("indexer-1");
        ConcernValue seen = former.index();
        clock.advance(TTL.multipliedBy(2));
        claim("indexer-2");

        // What the former holder sends when it was paused right between its check and its push.
        PushOutcome outcome =
                names.push(DB, Concern.INDEX, seen, seen.next(ConcernPayload.of(Map.of("address", "late"))));

        assertThat(outcome).isInstanceOf(PushOutcome.Conflict.class);
    }

    @Test
    void a_takeover_keeps_the_index_that_is_there() {
        SoftLock first = claim("indexer-1");
        first.publishIndex(ConcernPayload.of(Map.of("default", Map.of("address", "a", "t", 3, "rev", 0))));
        clock.advance(TTL.multipliedBy(2));

        claim("indexer-2");

        assertThat(names.concern(DB, Concern.INDEX)
                        .orElseThrow()
                        .payload()
                        .orElseThrow()
                        .fields())
                .containsKey("default")
                .containsKey(SoftLocks.FENCE);
    }

    @Test
    void a_lock_that_others_wrote_without_a_token_is_respected_until_its_end() {
        names.push(
                DB,
                Concern.STATUS,
                names.concern(DB, Concern.STATUS).orElseThrow(),
                ConcernValue.of(
                        3,
                        Map.of(
                                "state",
                                "indexing",
                                "index_lock",
                                Map.of(
                                        "holder",
                                        "foreign",
                                        "acquired_at",
                                        SettableClock.START.getEpochSecond(),
                                        "expires_at",
                                        SettableClock.START.plus(TTL).getEpochSecond()))));

        ClaimOutcome early = locks.claim(DB, LockKind.INDEX, "indexer-1", 1, TTL);
        clock.advance(TTL.multipliedBy(2));
        ClaimOutcome late = locks.claim(DB, LockKind.INDEX, "indexer-1", 1, TTL);

        assertThat(early).isInstanceOf(ClaimOutcome.Held.class);
        assertThat(late).isInstanceOf(ClaimOutcome.Claimed.class);
    }

    @Test
    void a_lock_with_fractions_of_seconds_is_respected_until_its_end() {
        double now = SettableClock.START.getEpochSecond() + 0.25;
        foreign(Map.of("holder", "python", "target_t", 45, "acquired_at", now, "expires_at", now + 60));

        ClaimOutcome early = locks.claim(DB, LockKind.INDEX, "indexer-2", 45, TTL);
        clock.advance(Duration.ofSeconds(61).plus(TTL.dividedBy(3)));
        ClaimOutcome late = locks.claim(DB, LockKind.INDEX, "indexer-2", 45, TTL);

        assertThat(early).isInstanceOfSatisfying(ClaimOutcome.Held.class, held -> {
            assertThat(held.holder().expiresAt()).isEqualTo(SettableClock.START.plusMillis(60_250));
            assertThat(held.holder().acquiredAt()).isEqualTo(SettableClock.START.plusMillis(250));
        });
        assertThat(late).isInstanceOf(ClaimOutcome.Claimed.class);
    }

    private void foreign(Map<String, Object> lock) {
        ConcernValue current = names.concern(DB, Concern.STATUS).orElseThrow();
        names.push(
                DB,
                Concern.STATUS,
                current,
                current.next(ConcernPayload.of(Map.of("state", "indexing", "index_lock", lock))));
    }

    @Test
    void with_locks_of_two_kinds_held_both_holders_publish() {
        SoftLock indexer = claim("indexer-1");
        SoftLock rebuilder = claim(LockKind.REINDEX, "rebuilder");

        assertThat(indexer.publishIndex(ConcernPayload.of(Map.of("rev", 0)))).isInstanceOf(LockOutcome.Done.class);
        assertThat(indexer.release()).isInstanceOf(LockOutcome.Done.class);
        LockOutcome second = rebuilder.publishIndex(ConcernPayload.of(Map.of("rev", 1)));

        assertThat(second).isEqualTo(new LockOutcome.Done(ConcernValue.of(2, Map.of("rev", 1))));
        assertThat(names.concern(DB, Concern.INDEX)).contains(ConcernValue.of(2, Map.of("rev", 1)));
    }

    @Test
    void claiming_and_releasing_a_lock_leaves_the_state_and_the_progress_of_another_alone() {
        SoftLock indexer = claim("indexer-1");
        indexer.progress(0.5);

        SoftLock rebuilder = claim(LockKind.REINDEX, "rebuilder");
        assertThat(status()).containsEntry("state", "indexing").containsEntry("progress", 0.5);
        rebuilder.progress(0.1);
        assertThat(status()).containsEntry("progress", 0.5);
        rebuilder.release();
        assertThat(status())
                .containsEntry("state", "indexing")
                .containsEntry("progress", 0.5)
                .doesNotContainKey("reindex_lock");

        claim(LockKind.REINDEX, "rebuilder");
        indexer.release();
        assertThat(status()).containsEntry("state", "reindexing").doesNotContainKeys("progress", "index_lock");
    }

    @Test
    void releasing_a_lock_leaves_an_error_alone() {
        SoftLock lock = claim("indexer-1");
        ConcernValue current = names.concern(DB, Concern.STATUS).orElseThrow();
        ConcernPayload failed =
                current.payload().orElseThrow().with("state", "error").with("error", "disk full");
        names.push(DB, Concern.STATUS, current, current.next(failed));

        assertThat(lock.release()).isInstanceOf(LockOutcome.Done.class);

        assertThat(status()).containsEntry("state", "error").containsEntry("error", "disk full");
    }

    @Test
    void a_holder_whose_lock_is_being_broken_publishes_nothing_from_the_first_write_on() {
        SoftLock lock = claim("indexer-1");
        AtomicInteger writes = new AtomicInteger();
        Nameservice dying = new ForwardingNameservice(names) {
            @Override
            public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
                if (writes.incrementAndGet() > 1) {
                    throw new IllegalStateException("the process ended");
                }
                return super.push(alias, concern, expected, next);
            }
        };

        assertThatThrownBy(() -> new SoftLocks(dying, clock, new SplittableRandom(9))
                        .breakLock(DB, LockKind.INDEX, lock.holder().token()))
                .isInstanceOf(IllegalStateException.class);

        assertThat(lock.publishIndex(ConcernPayload.of(Map.of("rev", 0)))).isInstanceOf(LockOutcome.Lost.class);
        SoftLock other = claim(LockKind.REINDEX, "rebuilder");
        assertThat(other.publishIndex(ConcernPayload.of(Map.of("rev", 1)))).isInstanceOf(LockOutcome.Done.class);
        assertThat(lock.publishIndex(ConcernPayload.of(Map.of("rev", 0)))).isInstanceOf(LockOutcome.Lost.class);
        assertThat(locks.breakLock(DB, LockKind.INDEX, lock.holder().token())).isTrue();
        assertThat(locks.holder(DB, LockKind.INDEX)).isEmpty();
        assertThat(locks.breakLock(DB, LockKind.INDEX, lock.holder().token())).isFalse();
    }

    @Test
    void a_retraction_ends_every_lock() {
        SoftLock lock = claim("indexer-1");
        names.retract(DB, "");

        assertThat(lock.refresh()).isInstanceOf(LockOutcome.Lost.class);
        assertThat(lock.publishIndex(ConcernPayload.of(Map.of()))).isInstanceOf(LockOutcome.Lost.class);
        assertThat(lock.release()).isInstanceOf(LockOutcome.Lost.class);
    }

    @Test
    void a_holder_from_before_a_retraction_cannot_publish_once_another_claimed_after_the_restoration() {
        ConcernValue seen = claim("indexer-1").index();
        names.retract(DB, "");
        names.restore(DB);
        SoftLock current = claim("indexer-2");

        // What the former holder sends when it was paused right between its check and its push.
        PushOutcome late = names.push(DB, Concern.INDEX, seen, seen.next(ConcernPayload.of(Map.of("address", "late"))));

        assertThat(late).isInstanceOf(PushOutcome.Conflict.class);
        assertThat(status()).doesNotContainKey(SoftLocks.FENCE);
        assertThat(current.publishIndex(ConcernPayload.of(Map.of("address", "new"))))
                .isInstanceOf(LockOutcome.Done.class);
    }

    @Test
    void a_claim_after_a_release_or_a_retraction_without_locks_leaves_the_index_alone() {
        claim("indexer-1").release();
        names.retract(DB, "");
        names.restore(DB);

        assertThat(claim("indexer-2").index()).isEqualTo(ConcernValue.unborn());
    }

    private SoftLock claim(LockKind kind, String holder) {
        return ((ClaimOutcome.Claimed) locks.claim(DB, kind, holder, 45, TTL)).lock();
    }

    private SoftLock claim(String holder) {
        ClaimOutcome outcome = locks.claim(DB, LockKind.INDEX, holder, 45, TTL);
        assertThat(outcome).isInstanceOf(ClaimOutcome.Claimed.class);
        return ((ClaimOutcome.Claimed) outcome).lock();
    }

    private Map<String, @Nullable Object> status() {
        return names.concern(DB, Concern.STATUS)
                .orElseThrow()
                .payload()
                .orElseThrow()
                .fields();
    }
}
