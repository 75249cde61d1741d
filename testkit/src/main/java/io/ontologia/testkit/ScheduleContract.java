package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Event;
import io.ontologia.core.Handlers;
import io.ontologia.core.Schedule;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Schedules fire every tick once, whoever and how many have them. The clock begins at midnight. */
public abstract class ScheduleContract extends WorkerSuite {
    private static final Schedule EVERY_TEN =
            Schedule.of("every-ten", "*/10 * * * *", ZoneOffset.UTC, new OrderPlaced("scheduled", 1));

    private final List<Instant> fired = new ArrayList<>();
    private final Handlers handlers =
            onOrder((order, context) -> fired.add(context.event().createdAt()));

    private Worker scheduled(String namespace, Schedule... schedules) {
        return worker(WorkerOptions.of(namespace).schedules(schedules), handlers);
    }

    private Instant at(int minute) {
        return SettableClock.START.plus(Duration.ofMinutes(minute));
    }

    @Test
    void a_tick_is_a_root_event_of_its_moment() {
        Worker worker = scheduled(NS, EVERY_TEN.priority(7));
        worker.step();
        pass(Duration.ofMinutes(11));

        worker.step();

        assertThat(fired).containsExactly(at(0), at(10));
        Event event = bus().list(NS, 10).get(1).event();
        assertThat(event.id()).startsWith("every-ten@2026-01-01T00:10:00Z");
        assertThat(event.rootEventId()).isEqualTo(event.id());
        assertThat(event.chainDepth()).isZero();
        assertThat(event.priority()).isEqualTo(7);
    }

    @Test
    void workers_that_share_a_schedule_fire_each_tick_once() {
        List<Worker> workers = List.of(scheduled(NS, EVERY_TEN), scheduled(NS, EVERY_TEN), scheduled(NS, EVERY_TEN));

        for (int minute = 0; minute < 60; minute++) {
            workers.forEach(Worker::step);
            pass(Duration.ofMinutes(1));
        }
        scheduled(NS, EVERY_TEN).step();

        assertThat(fired).containsExactly(at(0), at(10), at(20), at(30), at(40), at(50), at(60));
    }

    @Test
    void schedules_of_different_names_and_namespaces_fire_for_themselves() {
        Schedule other = Schedule.of("other", "*/10 * * * *", ZoneOffset.UTC, new OrderPlaced("other", 1));

        scheduled(NS, EVERY_TEN, other).step();
        scheduled("elsewhere", EVERY_TEN).step();

        assertThat(fired).containsExactly(at(0), at(0), at(0));
    }

    @Test
    void of_missed_ticks_the_latest_fires_and_none_that_is_too_long_ago() {
        Worker worker = scheduled(NS, EVERY_TEN);
        worker.step();
        pass(Duration.ofMinutes(35));
        worker.step();
        Schedule daily = Schedule.of("daily", "0 0 * * *", ZoneOffset.UTC, new OrderPlaced("daily", 1));
        scheduled("late", daily).step();
        scheduled("later", daily.catchUp(Duration.ofMinutes(30))).step();

        assertThat(fired).containsExactly(at(0), at(30), at(0));
    }

    @Test
    void a_schedule_goes_on_after_the_clock_stepped_back() {
        Worker worker = scheduled(NS, EVERY_TEN);
        worker.step();
        clock.setWallClock(at(24 * 60));
        worker.step();
        clock.setWallClock(at(1));
        worker.step();
        clock.setWallClock(at(11));

        worker.step();
        worker.step();

        assertThat(fired).containsExactly(at(0), at(24 * 60), at(10));
    }

    @Test
    void a_worker_wakes_up_for_the_next_tick() {
        Worker worker = scheduled(NS, EVERY_TEN);
        pass(Duration.ofMinutes(9).plusMillis(59_500));
        worker.step();

        assertThat(worker.step()).contains(Duration.ofMillis(500));
    }

    @Test
    void two_schedules_of_one_id_are_refused() {
        assertThatThrownBy(() -> WorkerOptions.of(NS).schedules(EVERY_TEN, EVERY_TEN.priority(1)))
                .hasMessageContaining("same id");
    }
}
