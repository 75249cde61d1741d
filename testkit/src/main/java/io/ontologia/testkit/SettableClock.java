package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until the test moves it. Sleeping moves it at once, so code that waits runs without waiting.
 * Safe for use by many threads.
 */
public final class SettableClock implements Clock {
    /** Where a clock stands when nothing else is said. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now;
    private long monotonic;

    /** A clock at {@link #START}. */
    public SettableClock() {
        this(START);
    }

    /** A clock at the given moment. */
    public SettableClock(Instant now) {
        this.now = now;
    }

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized long monotonicNanos() {
        return monotonic;
    }

    @Override
    public void sleep(Duration duration) {
        if (!duration.isNegative()) {
            advance(duration);
        }
    }

    /** Lets time pass, on the wall and on the monotonic reading alike. */
    public synchronized void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time does not pass backwards; use setWallClock for a corrected clock");
        }
        now = now.plus(duration);
        monotonic += duration.toNanos();
    }

    /** Corrects the wall clock, forward or back, as an operator or NTP would. No time passes. */
    public synchronized void setWallClock(Instant moment) {
        now = moment;
    }

    @Override
    public ZoneId zone() {
        return ZoneOffset.UTC;
    }
}
