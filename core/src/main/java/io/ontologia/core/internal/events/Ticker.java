package io.ontologia.core.internal.events;

import io.ontologia.core.Schedule;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Fires the schedules of a worker. Used by one thread at a time. */
final class Ticker {
    private final EventStore bus;
    private final String namespace;
    private final Clock clock;
    private final List<Schedule> schedules;
    private final Map<Schedule, Instant> next = new HashMap<>();
    private Instant latest = Instant.MIN;

    Ticker(EventStore bus, String namespace, Clock clock, List<Schedule> schedules) {
        this.bus = bus;
        this.namespace = namespace;
        this.clock = clock;
        this.schedules = schedules;
    }

    /** Enqueues the latest tick of every schedule that has one due. What fails is due again with the next call. */
    void fire() {
        Instant now = clock.now();
        if (now.isBefore(latest)) {
            // The clock stepped back. Ticks that fired before have their ids on the bus and are not enqueued twice.
            next.replaceAll((schedule, due) -> earlier(due, after(schedule, now)));
        }
        latest = now;
        for (Schedule schedule : schedules) {
            Instant due = next.computeIfAbsent(schedule, one -> after(one, now.minus(one.catchUp())));
            if (due.isAfter(now)) {
                continue;
            }
            Instant earliest = now.minus(schedule.catchUp());
            Instant tick = due.isBefore(earliest) ? after(schedule, earliest) : due;
            Instant following = tick;
            while (!following.isAfter(now)) {
                tick = following;
                following = after(schedule, tick);
            }
            if (!tick.isAfter(now)) {
                bus.enqueue(List.of(schedule.eventAt(namespace, tick)));
            }
            next.put(schedule, following);
        }
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static Instant after(Schedule schedule, Instant moment) {
        return schedule.cron().next(moment, schedule.zone());
    }

    /** The given time, or less when a tick is due before. */
    Duration untilNext(Duration most) {
        Instant now = clock.now();
        Duration least = most;
        for (Instant tick : next.values()) {
            Duration until = Duration.between(now, tick);
            least = until.compareTo(least) < 0 ? until : least;
        }
        return least.isNegative() ? Duration.ZERO : least;
    }
}
