package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.testkit.SettableClock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UpstreamTest {
    private static final Alias DB = Alias.parse("mydb");

    private final Nameservice local = open();
    private final Nameservice shared = open();
    private final Upstream upstream = new Upstream(local, shared, TrackingStore.in(local, "origin"));

    @Test
    void a_first_pull_into_an_empty_local_brings_all_four_concerns() {
        shared.create(NewRecord.ledger(DB).createdAt(java.time.Instant.ofEpochSecond(5)));
        for (Concern concern : Concern.values()) {
            push(shared, concern, 4, "theirs");
        }

        Map<Concern, SyncOutcome> outcomes = upstream.pull(DB);

        assertThat(outcomes.values()).allMatch(outcome -> outcome instanceof SyncOutcome.Moved);
        assertThat(local.lookup(DB)).isEqualTo(shared.lookup(DB));
    }

    @Test
    void a_first_push_brings_all_four_concerns_upstream() {
        local.create(NewRecord.ledger(DB));
        for (Concern concern : Concern.values()) {
            push(local, concern, 4, "ours");
        }

        upstream.push(DB);

        assertThat(shared.lookup(DB)).isEqualTo(local.lookup(DB));
    }

    @Test
    void pushes_and_pulls_follow_each_other() {
        local.create(NewRecord.ledger(DB));
        push(local, Concern.HEAD, 1, "ours");
        upstream.push(DB);
        push(shared, Concern.INDEX, 1, "theirs");
        push(shared, Concern.HEAD, 2, "theirs");

        Map<Concern, SyncOutcome> tooEarly = upstream.push(DB);
        Map<Concern, SyncOutcome> pulled = upstream.pull(DB);
        push(local, Concern.HEAD, 3, "ours");
        Map<Concern, SyncOutcome> pushed = upstream.push(DB);

        assertThat(tooEarly.get(Concern.HEAD)).isInstanceOf(SyncOutcome.Behind.class);
        assertThat(pulled.get(Concern.HEAD)).isEqualTo(new SyncOutcome.Moved(value(2, "theirs")));
        assertThat(pulled.get(Concern.INDEX)).isEqualTo(new SyncOutcome.Moved(value(1, "theirs")));
        assertThat(pulled.get(Concern.CONFIG)).isEqualTo(new SyncOutcome.InStep(ConcernValue.unborn()));
        assertThat(pushed.get(Concern.HEAD)).isEqualTo(new SyncOutcome.Moved(value(3, "ours")));
        assertThat(upstream.lastSeen(DB, Concern.HEAD)).contains(value(3, "ours"));
        assertThat(shared.lookup(DB)).isEqualTo(local.lookup(DB));
    }

    @Test
    void the_same_t_with_another_address_is_divergence_and_changes_nothing() {
        local.create(NewRecord.ledger(DB));
        push(local, Concern.HEAD, 1, "common");
        upstream.push(DB);
        push(local, Concern.HEAD, 2, "ours");
        push(shared, Concern.HEAD, 2, "theirs");

        Map<Concern, SyncOutcome> pushed = upstream.push(DB);
        Map<Concern, SyncOutcome> pulled = upstream.pull(DB);

        SyncOutcome diverged = new SyncOutcome.Diverged(value(2, "ours"), value(2, "theirs"));
        assertThat(pushed.get(Concern.HEAD)).isEqualTo(diverged);
        assertThat(pulled.get(Concern.HEAD)).isEqualTo(diverged);
        assertThat(local.concern(DB, Concern.HEAD)).contains(value(2, "ours"));
        assertThat(shared.concern(DB, Concern.HEAD)).contains(value(2, "theirs"));
    }

    @Test
    void both_sides_having_moved_is_divergence_also_when_one_is_further() {
        local.create(NewRecord.ledger(DB));
        push(local, Concern.HEAD, 1, "common");
        upstream.push(DB);
        push(local, Concern.HEAD, 2, "ours");
        push(shared, Concern.HEAD, 7, "theirs");

        assertThat(upstream.pull(DB).get(Concern.HEAD)).isInstanceOf(SyncOutcome.Diverged.class);
        assertThat(upstream.push(DB).get(Concern.HEAD)).isInstanceOf(SyncOutcome.Diverged.class);
    }

    @Test
    void two_records_that_were_never_in_step_diverge() {
        local.create(NewRecord.ledger(DB));
        shared.create(NewRecord.ledger(DB));
        push(local, Concern.HEAD, 3, "ours");
        push(shared, Concern.HEAD, 5, "theirs");

        assertThat(upstream.pull(DB).get(Concern.HEAD)).isInstanceOf(SyncOutcome.Diverged.class);
    }

    @Test
    void what_is_forwarded_is_written_upstream_only_until_it_is_pulled() {
        local.create(NewRecord.ledger(DB));
        upstream.push(DB);

        PushOutcome outcome = upstream.forward(DB, Concern.HEAD, ConcernValue.unborn(), value(1, "forwarded"));

        assertThat(outcome).isInstanceOf(PushOutcome.Updated.class);
        assertThat(local.concern(DB, Concern.HEAD)).contains(ConcernValue.unborn());
        assertThat(upstream.pull(DB).get(Concern.HEAD)).isEqualTo(new SyncOutcome.Moved(value(1, "forwarded")));
    }

    @Test
    void a_retracted_side_takes_nothing() {
        local.create(NewRecord.ledger(DB));
        upstream.push(DB);
        push(local, Concern.HEAD, 1, "ours");
        shared.retract(DB, "");

        assertThat(upstream.push(DB).get(Concern.HEAD)).isInstanceOf(SyncOutcome.Refused.class);
        assertThat(shared.concern(DB, Concern.HEAD)).contains(ConcernValue.unborn());
    }

    @Test
    void a_record_that_is_retracted_upstream_is_pulled_as_retracted() {
        shared.create(NewRecord.ledger(DB));
        push(shared, Concern.HEAD, 4, "theirs");
        shared.retract(DB, "moved");

        upstream.pull(DB);

        NameRecord ours = local.lookup(DB).orElseThrow();
        assertThat(ours.isRetracted()).isTrue();
        assertThat(ours.head()).isEqualTo(value(4, "theirs"));
        assertThat(ours.status().payload().orElseThrow().text("reason")).contains("moved");
        assertThat(upstream.pull(DB, Settlement.REPORT).notes()).isEmpty();
        assertThat(upstream.pull(DB).values()).allMatch(outcome -> outcome instanceof SyncOutcome.InStep);
    }

    @Test
    void a_retraction_and_a_restoration_are_followed_in_both_directions() {
        local.create(NewRecord.ledger(DB));
        upstream.push(DB);

        shared.retract(DB, "");
        upstream.pull(DB);
        assertThat(local.lookup(DB).orElseThrow().isRetracted()).isTrue();
        shared.restore(DB);
        upstream.pull(DB);
        assertThat(local.lookup(DB)).isEqualTo(shared.lookup(DB));
        local.retract(DB, "");
        upstream.push(DB);
        assertThat(shared.lookup(DB).orElseThrow().isRetracted()).isTrue();
        local.restore(DB);
        upstream.push(DB);

        assertThat(shared.lookup(DB)).isEqualTo(local.lookup(DB));
        assertThat(shared.lookup(DB).orElseThrow().isRetracted()).isFalse();
    }

    @Test
    void a_retracted_record_is_pushed_upstream_as_retracted() {
        local.create(NewRecord.ledger(DB));
        local.retract(DB, "");

        upstream.push(DB);

        assertThat(shared.lookup(DB).orElseThrow().isRetracted()).isTrue();
    }

    @Test
    void a_retraction_of_a_record_whose_status_moved_here_is_divergence_that_can_be_settled() {
        local.create(NewRecord.ledger(DB));
        upstream.push(DB);
        push(local, Concern.STATUS, 2, "ours");
        shared.retract(DB, "");

        SyncReport apart = upstream.pull(DB, Settlement.REPORT);
        assertThat(apart.notes()).extracting(SyncReport.Note::result).containsExactly(SyncReport.Result.DIVERGED);
        assertThat(local.lookup(DB).orElseThrow().isRetracted()).isFalse();

        upstream.pull(DB, Settlement.THEIRS);
        assertThat(local.lookup(DB).orElseThrow().isRetracted()).isTrue();
        assertThat(upstream.pull(DB, Settlement.REPORT).notes()).isEmpty();
    }

    @Test
    void a_record_that_was_purged_upstream_is_divergence_that_can_be_settled_either_way() {
        local.create(NewRecord.ledger(DB));
        upstream.push(DB);
        shared.retract(DB, "");
        shared.purge(DB);

        assertThat(upstream.known()).containsExactly(DB);
        assertThat(upstream.pull(DB, Settlement.REPORT).notes())
                .extracting(SyncReport.Note::result)
                .containsExactly(SyncReport.Result.DIVERGED);
        assertThat(upstream.push(DB, Settlement.REPORT).notes())
                .extracting(SyncReport.Note::result)
                .containsExactly(SyncReport.Result.DIVERGED);
        assertThat(shared.lookup(DB)).isEmpty();
        upstream.push(DB, Settlement.OURS);
        assertThat(shared.lookup(DB)).isEqualTo(local.lookup(DB));

        shared.retract(DB, "");
        shared.purge(DB);
        upstream.pull(DB, Settlement.THEIRS);
        assertThat(local.lookup(DB)).isEmpty();
        assertThat(upstream.known()).isEmpty();
    }

    @Test
    void a_record_that_was_purged_here_is_purged_upstream_when_that_is_asked_for() {
        local.create(NewRecord.ledger(DB));
        upstream.push(DB);
        local.retract(DB, "");
        local.purge(DB);

        assertThat(upstream.push(DB, Settlement.REPORT).notes())
                .extracting(SyncReport.Note::result)
                .containsExactly(SyncReport.Result.DIVERGED);
        upstream.push(DB, Settlement.OURS);

        assertThat(shared.lookup(DB)).isEmpty();
    }

    @Test
    void heads_that_differ_at_the_first_pull_are_settled_either_way() {
        local.create(NewRecord.ledger(DB));
        shared.create(NewRecord.ledger(DB));
        push(local, Concern.HEAD, 1, "ours");
        push(shared, Concern.HEAD, 2, "theirs");

        assertThat(upstream.pull(DB, Settlement.THEIRS).concerns().get(Concern.HEAD))
                .isEqualTo(new SyncOutcome.Moved(value(2, "theirs")));
        assertThat(upstream.pull(DB).get(Concern.HEAD)).isEqualTo(new SyncOutcome.InStep(value(2, "theirs")));
    }

    @Test
    void a_side_that_is_further_is_replaced_when_the_other_side_is_to_count() {
        local.create(NewRecord.ledger(DB));
        shared.create(NewRecord.ledger(DB));
        push(local, Concern.HEAD, 5, "ours");
        push(shared, Concern.HEAD, 2, "theirs");

        upstream.pull(DB, Settlement.THEIRS);
        assertThat(local.lookup(DB)).isEqualTo(shared.lookup(DB));

        push(local, Concern.HEAD, 3, "ours");
        push(shared, Concern.HEAD, 9, "theirs");
        assertThat(upstream.pull(DB, Settlement.OURS).concerns().get(Concern.HEAD))
                .isInstanceOf(SyncOutcome.Behind.class);
        upstream.push(DB, Settlement.OURS);
        assertThat(shared.lookup(DB)).isEqualTo(local.lookup(DB));
        assertThat(upstream.pull(DB).values()).allMatch(outcome -> outcome instanceof SyncOutcome.InStep);
    }

    @Test
    void changed_dependencies_travel() {
        Alias search = Alias.parse("vg:search");
        shared.create(NewRecord.of(search, new EntityType("vg:bm25")).deps(List.of("a:main")));
        upstream.pull(search);
        shared.setDeps(search, List.of("a:main", "b:main"));

        upstream.pull(search);
        assertThat(local.lookup(search).orElseThrow().deps()).containsExactly("a:main", "b:main");
        local.setDeps(search, List.of("c:main"));
        assertThat(upstream.pull(search, Settlement.REPORT).notes())
                .extracting(SyncReport.Note::result)
                .containsExactly(SyncReport.Result.BEHIND);
        upstream.push(search);

        assertThat(shared.lookup(search).orElseThrow().deps()).containsExactly("c:main");
    }

    @Test
    void what_neither_side_has_cannot_be_synchronized() {
        assertThatThrownBy(() -> upstream.pull(DB)).isInstanceOf(NameNotFoundException.class);
        assertThatThrownBy(() -> upstream.push(DB)).isInstanceOf(NameNotFoundException.class);
    }

    private static Nameservice open() {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(new SettableClock()));
    }

    private static void push(Nameservice names, Concern concern, long watermark, String by) {
        ConcernValue current = names.concern(DB, concern).orElseThrow();
        assertThat(names.push(DB, concern, current, value(watermark, by))).isInstanceOf(PushOutcome.Updated.class);
    }

    private static ConcernValue value(long watermark, String by) {
        return ConcernValue.of(watermark, Map.of("state", "ready", "t", watermark, "address", by));
    }
}
