package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeededSchedulerTest {
    @Test
    void the_same_seed_gives_the_same_interleaving_and_the_same_result() {
        Seeds.forEach("interleavings", 50, random -> {
            long seed = random.nextLong();

            Run first = runWith(seed);
            Run second = runWith(seed);

            assertThat(second).isEqualTo(first);
        });
    }

    @Test
    void different_seeds_give_different_interleavings() {
        Set<Run> runs = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            runs.add(runWith(seed));
        }

        assertThat(runs).hasSizeGreaterThan(15);
    }

    private record Run(List<String> trace, List<RecordingObjectStore.Change> changes, List<Instant> times) {}

    private static Run runWith(long seed) {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(seed)).pauses(0.1, Duration.ofSeconds(1));
        RecordingObjectStore server = new RecordingObjectStore(ObjectStores.open("memory:"));
        ObjectStore store = scheduler.interleaved(server);
        List<Instant> times = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            scheduler.spawn(name, self -> {
                for (int i = 0; i < 5; i++) {
                    store.put("shared", Payload.of(name + i));
                    times.add(self.clock().now());
                    self.clock().sleep(Duration.ofMillis(1));
                }
            });
        }
        scheduler.run();
        return new Run(scheduler.trace(), server.changes(), times);
    }

    @Test
    void actors_interleave_only_where_they_hand_over() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        List<String> log = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            scheduler.spawn(name, self -> {
                for (int i = 0; i < 100; i++) {
                    log.add(name + " begins");
                    log.add(name + " ends");
                    self.handOver();
                }
            });
        }

        scheduler.run();

        assertThat(log).hasSize(400);
        for (int i = 0; i < log.size(); i += 2) {
            assertThat(log.get(i + 1)).isEqualTo(log.get(i).replace("begins", "ends"));
        }
        assertThat(log.indexOf("b begins")).isLessThan(log.lastIndexOf("a begins"));
        assertThat(log.indexOf("a begins")).isLessThan(log.lastIndexOf("b begins"));
    }

    @Test
    void sleeping_takes_simulated_time_only_and_wakes_actors_in_order() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        List<String> woken = new ArrayList<>();
        scheduler.spawn("long", self -> {
            self.clock().sleep(Duration.ofDays(2));
            assertThat(self.clock().now()).isAfterOrEqualTo(SettableClock.START.plus(Duration.ofDays(2)));
            assertThat(self.clock().monotonicNanos())
                    .isGreaterThanOrEqualTo(Duration.ofDays(2).toNanos());
            woken.add("long");
        });
        scheduler.spawn("short", self -> {
            self.clock().sleep(Duration.ofDays(1));
            woken.add("short");
        });

        scheduler.run();

        assertThat(woken).containsExactly("short", "long");
    }

    @Test
    void a_skewed_clock_is_off_by_the_same_time_throughout_and_measures_durations_right() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        List<Duration> offsets = new ArrayList<>();
        SeededScheduler.Actor exact =
                scheduler.spawn("exact", self -> self.clock().sleep(Duration.ofSeconds(10)));
        SeededScheduler.Actor ahead = scheduler.spawn("ahead", self -> {
            for (int i = 0; i < 3; i++) {
                offsets.add(Duration.between(exact.clock().now(), self.clock().now()));
                assertThat(self.clock().monotonicNanos())
                        .isEqualTo(exact.clock().monotonicNanos());
                self.clock().sleep(Duration.ofSeconds(1));
            }
        });
        ahead.clock().skew(Duration.ofMinutes(3));

        scheduler.run();

        assertThat(offsets).hasSize(3).containsOnly(Duration.ofMinutes(3));
    }

    @Test
    void a_suspended_actor_wakes_up_late_without_having_noticed() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        List<String> log = new ArrayList<>();
        SeededScheduler.Actor victim = scheduler.spawn("victim", self -> {
            self.handOver();
            self.clock().sleep(Duration.ofSeconds(1));
            log.add("victim went on after "
                    + Duration.between(SettableClock.START, self.clock().now()).toHours() + " h");
        });
        scheduler.spawn("other", self -> {
            victim.suspend(Duration.ofHours(1));
            self.clock().sleep(Duration.ofMinutes(59));
            log.add("other is done");
        });

        scheduler.run();

        assertThat(log).containsExactly("other is done", "victim went on after 1 h");
    }

    @Test
    void the_failure_of_an_actor_fails_the_simulation_and_ends_the_others() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        List<String> reached = new ArrayList<>();
        scheduler.spawn("endless", self -> {
            while (true) {
                try {
                    self.handOver();
                } catch (RuntimeException e) {
                    reached.add("handled");
                }
            }
        });
        scheduler.spawn("failing", self -> {
            throw new IllegalStateException("on purpose");
        });

        assertThatThrownBy(scheduler::run).isInstanceOf(AssertionError.class).hasRootCauseMessage("on purpose");
        assertThat(reached).isEmpty();
    }

    @Test
    void a_crash_ends_only_the_actor_whose_store_crashed() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        ObjectStore server = ObjectStores.open("memory:");
        scheduler.spawn("mortal", self -> {
            ObjectStore store = new FaultyObjectStore(scheduler.interleaved(server), FaultPlan.crashBefore(2));
            store.put("first", Payload.of("x"));
            store.put("second", Payload.of("x"));
        });
        scheduler.spawn("survivor", self -> {
            self.clock().sleep(Duration.ofSeconds(1));
            scheduler.interleaved(server).put("third", Payload.of("x"));
        });

        scheduler.run();

        assertThat(server.get("first")).isPresent();
        assertThat(server.get("second")).isEmpty();
        assertThat(server.get("third")).isPresent();
    }

    @Test
    void a_simulation_that_does_not_end_fails() {
        SeededScheduler scheduler = new SeededScheduler(new SplittableRandom(1));
        scheduler.spawn("endless", self -> {
            while (true) {
                self.handOver();
            }
        });

        assertThatThrownBy(scheduler::run).hasMessageContaining("did not end");
    }
}
