package io.ontologia.core;

import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * Who a handler is, and how it is served.
 *
 * @param id the bus remembers by it what was handled, so it stays the same when code moves
 * @param priority of two handlers of one worker the one with the higher priority is served first
 * @param concurrency how many events one worker hands to it at the same time
 */
public record HandlerOptions(String id, long priority, int concurrency) {
    /** The priority of handlers that ask for none. */
    public static final long DEFAULT_PRIORITY = 100;

    /** @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for a bad id or no concurrency at all */
    public HandlerOptions {
        EventNames.require("handler id", id);
        if (concurrency < 1) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid concurrency of handler '" + id + "'",
                    "it is " + concurrency,
                    "use 1 or more");
        }
    }

    /** One event at a time, with the default priority. */
    public static HandlerOptions of(String id) {
        return new HandlerOptions(id, DEFAULT_PRIORITY, 1);
    }

    /** The same with another priority. */
    public HandlerOptions priority(long other) {
        return new HandlerOptions(id, other, concurrency);
    }

    /** The same with another concurrency. */
    public HandlerOptions concurrency(int other) {
        return new HandlerOptions(id, priority, other);
    }
}
