package io.ontologia.kernel;

import java.time.Duration;
import java.util.Optional;

/**
 * Background work cut into pieces: one call does what is due now and says when it wants to be called again. Tests call it
 * by hand with a clock that they set; {@link BackgroundRunner} calls it on a thread.
 */
@FunctionalInterface
public interface Step {

    /**
     * Does what is due.
     *
     * @return how long to wait before the next call, or empty when the work is over and no call is wanted
     */
    Optional<Duration> step();
}
