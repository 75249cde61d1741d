package io.ontologia.nameservice;

import java.time.Duration;
import java.util.Optional;

/**
 * Events that a nameservice sends by itself, in the order of a {@link Subscription}: snapshots, {@link NameEvent.Live}, news. A stream
 * that breaks off is taken up again behind the last event. One thread takes events; any thread may close.
 */
public interface NameEvents extends AutoCloseable {

    /**
     * Waits for the next event.
     *
     * @return empty when none came in time, or the thread was interrupted (its flag stays set)
     * @throws io.ontologia.kernel.OntologiaException when the nameservice refuses the stream, or cannot be reached again
     */
    Optional<NameEvent> next(Duration atMost);

    /** Ends the stream. Idempotent. */
    @Override
    void close();
}
