package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.nameservice.internal.object.ObjectNameservice;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client dies before each of its requests; another one finds the old state or the new one, and can go on. */
class BrokenOffChangesTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final int MANY = 60;

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_creation_happened_or_did_not(Layout layout) {
        int steps = atEveryStep(layout, names -> {}, names -> names.create(NewRecord.ledger(DB)), names -> {
            Optional<NameRecord> there = names.lookup(DB);
            CreateOutcome again = names.create(NewRecord.ledger(DB));

            assertThat(again)
                    .isInstanceOf(there.isPresent() ? CreateOutcome.Exists.class : CreateOutcome.Created.class);
            assertUnbornAndUsable(names);
        });

        assertThat(steps).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void pushes_after_a_creation_that_broke_off_create_nothing(Layout layout) {
        atEveryStep(layout, names -> {}, names -> names.create(NewRecord.ledger(DB)), names -> {
            boolean there = names.lookup(DB).isPresent();
            for (Concern concern : Concern.values()) {
                if (!there) {
                    assertThatThrownBy(() -> names.push(DB, concern, ConcernValue.unborn(), value(9)))
                            .isInstanceOf(NameNotFoundException.class);
                    assertThat(names.concern(DB, concern)).isEmpty();
                }
            }
            assertThat(names.list(NameQuery.all()).records()).hasSize(there ? 1 : 0);
        });
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_push_happened_or_did_not(Layout layout) {
        for (Concern concern : Concern.values()) {
            atEveryStep(
                    layout, BrokenOffChangesTest::fill, names -> names.push(DB, concern, value(5), value(6)), names -> {
                        ConcernValue now = names.concern(DB, concern).orElseThrow();

                        assertThat(now).isIn(value(5), value(6));
                        assertThat(names.push(DB, concern, now, value(7))).isEqualTo(new PushOutcome.Updated(value(7)));
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_retraction_happened_or_the_next_push_finishes_it(Layout layout) {
        for (Concern concern : Concern.values()) {
            atEveryStep(layout, BrokenOffChangesTest::fill, names -> names.retract(DB, "why"), names -> {
                boolean before = names.lookup(DB).orElseThrow().isRetracted();
                boolean refused = isRefused(names, concern);
                boolean after = names.lookup(DB).orElseThrow().isRetracted();

                assertThat(after).as("what a push is told is true").isEqualTo(refused);
                assertThat(before).as("a push never undoes it").matches(was -> !was || after);
                names.retract(DB, "again");
                for (Concern each : Concern.values()) {
                    assertThat(isRefused(names, each)).isTrue();
                }
                assertThat(names.restore(DB)).isInstanceOf(LifecycleOutcome.Changed.class);
                for (Concern each : Concern.values()) {
                    assertThat(isRefused(names, each)).isFalse();
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_purge_happened_or_did_not_and_is_finished_by_the_next(Layout layout) {
        atEveryStep(layout, BrokenOffChangesTest::fillAndRetract, names -> names.purge(DB), names -> {
            assertThat(names.lookup(DB))
                    .matches(record -> record.isEmpty() || record.get().isRetracted());
            try {
                assertThat(names.purge(DB)).isEqualTo(new PurgeOutcome.Purged());
            } catch (NameNotFoundException e) {
                assertThat(names.lookup(DB)).isEmpty();
            }
            assertThat(names.lookup(DB)).isEmpty();
            assertThat(names.list(NameQuery.all()).records()).isEmpty();
            assertThat(names.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
            assertUnbornAndUsable(names);
        });
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_creation_after_a_purge_that_broke_off_starts_from_nothing(Layout layout) {
        atEveryStep(layout, BrokenOffChangesTest::fillAndRetract, names -> names.purge(DB), names -> {
            boolean there = names.lookup(DB).isPresent();

            CreateOutcome outcome = names.create(NewRecord.ledger(DB));

            if (there) {
                assertThat(outcome).isInstanceOf(CreateOutcome.Exists.class);
            } else {
                assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
                assertUnbornAndUsable(names);
            }
        });
    }

    /** Makes the change with a client that dies before its first request, its second, and so on; returns how many it makes. */
    private static int atEveryStep(
            Layout layout, Consumer<Nameservice> prepare, Consumer<Nameservice> change, Consumer<Nameservice> check) {
        for (int step = 1; step < MANY; step++) {
            ObjectStore server = ObjectStores.open("memory:", new SettableClock());
            prepare.accept(on(server, layout, 1));
            boolean died = false;
            try {
                change.accept(on(new FaultyObjectStore(server, FaultPlan.crashBefore(step)), layout, 2));
            } catch (StoreCrashed e) {
                died = true;
            }
            check.accept(on(server, layout, 3));
            if (!died) {
                return step - 1;
            }
        }
        throw new AssertionError("more than " + MANY + " requests");
    }

    private static Nameservice on(ObjectStore store, Layout layout, long seed) {
        return new ObjectNameservice(store, layout, new SettableClock(), new SplittableRandom(seed), Runnable::run);
    }

    private static void fill(Nameservice names) {
        names.create(NewRecord.ledger(DB));
        for (Concern concern : Concern.values()) {
            assertThat(names.push(DB, concern, names.concern(DB, concern).orElseThrow(), value(5)))
                    .isInstanceOf(PushOutcome.Updated.class);
        }
    }

    private static void fillAndRetract(Nameservice names) {
        fill(names);
        names.retract(DB, "");
    }

    private static boolean isRefused(Nameservice names, Concern concern) {
        ConcernValue current = names.concern(DB, concern).orElseThrow();
        try {
            assertThat(names.push(DB, concern, current, value(current.watermark() + 1)))
                    .isInstanceOf(PushOutcome.Updated.class);
            return false;
        } catch (NameRetractedException e) {
            return true;
        }
    }

    private static void assertUnbornAndUsable(Nameservice names) {
        NameRecord record = names.lookup(DB).orElseThrow();
        assertThat(record.watermarks()).isEqualTo(new Watermarks(0, 0, 1, 0));
        assertThat(record.isRetracted()).isFalse();
        for (Concern concern : Concern.values()) {
            assertThat(names.push(DB, concern, record.concern(concern), value(5)))
                    .isEqualTo(new PushOutcome.Updated(value(5)));
        }
    }

    private static ConcernValue value(long watermark) {
        return ConcernValue.of(watermark, Map.of("state", "ready", "t", watermark));
    }
}
