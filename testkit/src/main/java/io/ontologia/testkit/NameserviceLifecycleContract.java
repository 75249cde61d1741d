package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.Dependants;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameInUseException;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.SoftLocks;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How records are retracted, restored and purged. */
public abstract class NameserviceLifecycleContract extends NameserviceSuite {
    private static final Alias DB = Alias.parse("mydb");

    @Test
    protected void a_retracted_record_stays_readable_and_says_why() {
        created("mydb");
        pushed("mydb", Concern.HEAD, head(3));
        pushed("mydb", Concern.INDEX, value(Concern.INDEX, 1, "index"));
        pushed("mydb", Concern.STATUS, ConcernValue.of(7, Map.of("state", "ready", "note", "kept")));
        NameRecord before = names().lookup(DB).orElseThrow();

        LifecycleOutcome outcome = names().retract(DB, "moved away");

        NameRecord after = another().lookup(DB).orElseThrow();
        assertThat(outcome).isEqualTo(new LifecycleOutcome.Changed(after));
        assertThat(after.isRetracted()).isTrue();
        assertThat(after.status())
                .isEqualTo(ConcernValue.of(
                        8,
                        Map.of(
                                "state",
                                "retracted",
                                "retracted_at",
                                SettableClock.START.getEpochSecond(),
                                "reason",
                                "moved away",
                                "note",
                                "kept")));
        assertThat(after.head()).isEqualTo(before.head());
        assertThat(after.index()).isEqualTo(before.index());
    }

    @Test
    protected void a_retraction_drops_locks_and_progress() {
        created("mydb");
        pushed(
                "mydb",
                Concern.STATUS,
                ConcernValue.of(2, Map.of("state", "indexing", "index_lock", Map.of("holder", "x"), "progress", 0.5)));

        names().retract(DB, "");

        assertThat(names().concern(DB, Concern.STATUS)
                        .orElseThrow()
                        .payload()
                        .orElseThrow()
                        .fields())
                .containsOnlyKeys("state", "retracted_at", SoftLocks.FENCE);
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void pushes_to_a_retracted_record_are_refused_as_such(Concern concern) {
        created("mydb");
        pushed("mydb", concern, value(concern, 2, "before"));
        names().retract(DB, "");
        NameRecord retracted = names().lookup(DB).orElseThrow();
        ConcernValue actual = retracted.concern(concern);

        assertThatThrownBy(() -> another().push(DB, concern, actual, value(concern, 9, "right")))
                .isInstanceOf(NameRetractedException.class);
        assertThatThrownBy(() -> names().push(DB, concern, value(concern, 8, "imagined"), value(concern, 9, "wrong")))
                .isInstanceOf(NameRetractedException.class);
        assertThat(names().lookup(DB)).contains(retracted);
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void pushes_to_unborn_concerns_of_a_retracted_record_are_refused_too(Concern concern) {
        ConcernValue unborn = created("mydb").concern(concern);
        another().retract(DB, "");

        assertThatThrownBy(() -> names().push(DB, concern, unborn, value(concern, 9, "late")))
                .isInstanceOf(NameRetractedException.class);
    }

    @Test
    protected void retracting_twice_changes_nothing_the_second_time() {
        created("mydb");
        names().retract(DB, "first");
        NameRecord once = names().lookup(DB).orElseThrow();

        LifecycleOutcome again = another().retract(DB, "second");

        assertThat(again).isEqualTo(new LifecycleOutcome.Unchanged(once));
        assertThat(names().lookup(DB)).contains(once);
    }

    @Test
    protected void a_retracted_record_keeps_its_name() {
        created("mydb");
        names().retract(DB, "");

        CreateOutcome outcome = names().create(NewRecord.ledger(DB));

        assertThat(outcome)
                .isEqualTo(new CreateOutcome.Exists(names().lookup(DB).orElseThrow()));
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_restored_record_is_as_before_and_takes_pushes(Concern concern) {
        created("mydb");
        pushed("mydb", concern, value(concern, 2, "before"));
        names().retract(DB, "by mistake");

        LifecycleOutcome outcome = another().restore(DB);

        NameRecord restored = names().lookup(DB).orElseThrow();
        assertThat(outcome).isEqualTo(new LifecycleOutcome.Changed(restored));
        assertThat(restored.isRetracted()).isFalse();
        assertThat(restored.state()).contains("ready");
        assertThat(restored.status().payload().orElseThrow().fields()).doesNotContainKeys("retracted_at", "reason");
        assertThat(restored.status().watermark()).isEqualTo(concern == Concern.STATUS ? 4 : 3);
        pushed("mydb", concern, value(concern, 9, "after"));
        pushed("mydb", concern, value(concern, 10, "after"));
    }

    @Test
    protected void a_record_can_be_retracted_and_restored_again_and_again() {
        created("mydb");
        for (int i = 1; i <= 3; i++) {
            assertThat(names().retract(DB, "")).isInstanceOf(LifecycleOutcome.Changed.class);
            assertThatThrownBy(() -> names().push(
                                    DB,
                                    Concern.HEAD,
                                    names().concern(DB, Concern.HEAD).orElseThrow(),
                                    head(99)))
                    .isInstanceOf(NameRetractedException.class);
            assertThat(names().restore(DB)).isInstanceOf(LifecycleOutcome.Changed.class);
            pushed("mydb", Concern.HEAD, head(i));
        }
        assertThat(names().concern(DB, Concern.STATUS).orElseThrow().watermark())
                .isEqualTo(7);
    }

    @Test
    protected void restoring_an_active_record_changes_nothing() {
        NameRecord active = created("mydb");

        assertThat(names().restore(DB)).isEqualTo(new LifecycleOutcome.Unchanged(active));
        assertThat(names().lookup(DB)).contains(active);
    }

    @Test
    protected void only_a_retracted_record_can_be_purged() {
        NameRecord active = created("mydb");

        assertThat(names().purge(DB)).isEqualTo(new PurgeOutcome.StillActive(active));
        assertThat(names().lookup(DB)).contains(active);
    }

    @Test
    protected void a_purged_record_leaves_no_trace_and_frees_its_name() {
        created("mydb");
        for (Concern concern : Concern.values()) {
            pushed("mydb", concern, value(concern, 5, "old"));
        }
        names().retract(DB, "");

        assertThat(another().purge(DB)).isEqualTo(new PurgeOutcome.Purged());

        assertThat(names().lookup(DB)).isEmpty();
        for (Concern concern : Concern.values()) {
            assertThat(names().concern(DB, concern)).isEmpty();
            assertThatThrownBy(() -> names().push(DB, concern, value(concern, 5, "old"), value(concern, 6, "late")))
                    .isInstanceOf(NameNotFoundException.class);
        }
        assertThat(aliases(NameQuery.all())).isEmpty();
        NameRecord anew = created("mydb");
        assertThat(anew.watermarks()).isEqualTo(new io.ontologia.nameservice.Watermarks(0, 0, 1, 0));
        assertThat(names().lookup(DB)).contains(anew);
        PushOutcome stale = names().push(DB, Concern.HEAD, value(Concern.HEAD, 5, "old"), head(6));
        assertThat(stale).isEqualTo(new PushOutcome.Conflict(ConcernValue.unborn()));
    }

    @Test
    protected void what_does_not_exist_cannot_be_retracted_restored_or_purged() {
        assertThatThrownBy(() -> names().retract(DB, "")).isInstanceOf(NameNotFoundException.class);
        assertThatThrownBy(() -> names().restore(DB)).isInstanceOf(NameNotFoundException.class);
        assertThatThrownBy(() -> names().purge(DB)).isInstanceOf(NameNotFoundException.class);

        assertThat(names().lookup(DB)).isEmpty();
        assertThat(aliases(NameQuery.all())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_value_of_a_purged_record_is_not_taken_for_the_equal_one_of_its_successor(Concern concern) {
        Alias db = Alias.parse("mydb");
        created("mydb");
        pushed("mydb", concern, value(concern, 2, "same"));
        ConcernValue old = names().concern(db, concern).orElseThrow();
        NameRecord oldRecord = names().lookup(db).orElseThrow();
        names().retract(db, "");
        names().purge(db);
        NameRecord successor = created("mydb");
        pushed("mydb", concern, value(concern, 2, "same"));
        ConcernValue now = names().concern(db, concern).orElseThrow();

        assertThat(names().push(db, concern, old, value(concern, 3, "late"))).isEqualTo(new PushOutcome.Conflict(old));
        assertThat(another().push(db, concern, oldRecord.concern(concern), value(concern, 3, "late")))
                .isEqualTo(new PushOutcome.Conflict(old));
        assertThat(old.isOfAnotherRecordThan(now)).isTrue();
        assertThat(successor.identity())
                .isEqualTo(names().lookup(db).orElseThrow().identity());
        assertThat(names().push(db, concern, now, value(concern, 3, "next")))
                .isEqualTo(new PushOutcome.Updated(value(concern, 3, "next")));
    }

    @Test
    protected void what_a_record_depends_on_can_be_changed() {
        Alias search = Alias.parse("vg:search");
        NameRecord before =
                created(NewRecord.of(search, new EntityType("vg:bm25")).deps(List.of("mydb:main")));

        LifecycleOutcome changed = names().setDeps(search, List.of("mydb:main", "other:main"));
        LifecycleOutcome same = names().setDeps(search, List.of("mydb:main", "other:main"));

        NameRecord after = before.withDeps(List.of("mydb:main", "other:main"));
        assertThat(changed).isEqualTo(new LifecycleOutcome.Changed(after));
        assertThat(same).isEqualTo(new LifecycleOutcome.Unchanged(after));
        assertThat(another().lookup(search)).contains(after);
        assertThat(names().setDeps(search, List.of()))
                .isEqualTo(new LifecycleOutcome.Changed(before.withDeps(List.of())));
        assertThat(names().lookup(search).orElseThrow().deps()).isEmpty();
    }

    @Test
    protected void dependencies_are_checked_when_they_are_set() {
        Alias search = Alias.parse("vg:search");
        created(NewRecord.of(search, new EntityType("vg:bm25")));

        for (List<String> bad : List.of(List.of(":"), List.of("vg:search:main"), List.of("a:main", "a"))) {
            assertThatThrownBy(() -> names().setDeps(search, bad))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
            assertThatThrownBy(() ->
                            NewRecord.of(search, new EntityType("vg:bm25")).deps(bad))
                    .isInstanceOf(OntologiaException.class);
        }
        assertThatThrownBy(() -> names().setDeps(Alias.parse("vg:none"), List.of()))
                .isInstanceOf(NameNotFoundException.class);
        names().retract(search, "");
        assertThatThrownBy(() -> names().setDeps(search, List.of("mydb"))).isInstanceOf(NameRetractedException.class);
    }

    @Test
    protected void a_record_that_others_depend_on_is_retracted_and_purged_only_by_force() {
        Alias search = Alias.parse("vg:search");
        created(DB.toString());
        created(NewRecord.of(search, new EntityType("vg:bm25")).deps(List.of("other", DB.toString())));

        assertThatThrownBy(() -> names().retract(DB, "", Dependants.REFUSE))
                .isInstanceOfSatisfying(
                        NameInUseException.class,
                        e -> assertThat(e.dependants()).containsExactly(search));
        assertThat(names().lookup(DB).orElseThrow().isRetracted()).isFalse();
        assertThat(names().retract(DB, "", Dependants.IGNORE)).isInstanceOf(LifecycleOutcome.Changed.class);
        assertThat(names().retract(DB, "", Dependants.REFUSE)).isInstanceOf(LifecycleOutcome.Unchanged.class);
        assertThatThrownBy(() -> names().purge(DB, Dependants.REFUSE))
                .isInstanceOfSatisfying(
                        NameInUseException.class,
                        e -> assertThat(e.dependants()).containsExactly(search));
        assertThat(names().purge(DB, Dependants.IGNORE)).isEqualTo(new PurgeOutcome.Purged());
    }

    @Test
    protected void a_retracted_dependant_is_not_in_the_way() {
        Alias search = Alias.parse("vg:search");
        NameRecord active = created(DB.toString());
        created(NewRecord.of(search, new EntityType("vg:bm25")).deps(List.of(DB.toString())));
        names().retract(search, "");

        assertThat(names().purge(DB, Dependants.REFUSE)).isEqualTo(new PurgeOutcome.StillActive(active));
        assertThat(names().retract(DB, "", Dependants.REFUSE)).isInstanceOf(LifecycleOutcome.Changed.class);
        assertThat(names().purge(DB, Dependants.REFUSE)).isEqualTo(new PurgeOutcome.Purged());
        assertThatThrownBy(() -> names().retract(DB, "", Dependants.REFUSE)).isInstanceOf(NameNotFoundException.class);
        assertThatThrownBy(() -> names().purge(DB, Dependants.REFUSE)).isInstanceOf(NameNotFoundException.class);
    }
}
