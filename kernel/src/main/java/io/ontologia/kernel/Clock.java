package io.ontologia.kernel;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The only source of time. Production code uses {@link #system()}; tests bring a clock that they set themselves.
 * Implementations are safe for use by many threads.
 */
public interface Clock {

    /** Wall-clock time. May jump when the machine's clock is corrected. */
    Instant now();

    /** A reading that never goes back; only differences mean anything. */
    long monotonicNanos();

    /**
     * Waits for at least the given time; returns at once when it is zero or negative.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CLOSED} when the thread is interrupted; the interrupt flag
     *     stays set
     */
    void sleep(Duration duration);

    /** The machine's own clock. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }

    /** The time zone of this clock, for people who read and write times without one: that of the machine. */
    default ZoneId zone() {
        return ZoneId.systemDefault();
    }
}
