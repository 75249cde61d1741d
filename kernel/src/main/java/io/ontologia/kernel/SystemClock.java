package io.ontologia.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OntologiaException(
                    ErrorKind.CLOSED, "waiting stopped", "the thread was interrupted", "try again", e);
        }
    }
}
