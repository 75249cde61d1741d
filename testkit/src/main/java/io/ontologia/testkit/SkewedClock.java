package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The machine's clock, set wrong.
 *
 * @param ahead by how much; negative when it is behind
 */
record SkewedClock(Duration ahead) implements Clock {
    @Override
    public Instant now() {
        return Clock.system().now().plus(ahead);
    }

    @Override
    public long monotonicNanos() {
        return Clock.system().monotonicNanos();
    }

    @Override
    public void sleep(Duration duration) {
        Clock.system().sleep(duration);
    }
}
