package io.ontologia.store.object.internal.events;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of the event bus that cannot be read. Workers and listings leave such an object out and log a warning, because one
 * damaged event must not stop all others. A request for that object fails.
 */
final class Unreadable {
    /** Warnings that stored data is damaged and missing in an answer. The console shows them at every log level. */
    private static final String LOGGER = "io.ontologia.damage";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

    private Unreadable() {}

    /** Whether an error is about what is stored, and not about the store. */
    static boolean is(OntologiaException e) {
        // To whoever parses a field, an impossible value in it is bad input.
        return e.kind() == ErrorKind.CORRUPT || e.kind() == ErrorKind.INVALID_INPUT;
    }

    /**
     * Says that something is left out.
     *
     * @param what an event or a claim, for people
     */
    static void tell(String what, OntologiaException e) {
        LOG.atWarn()
                .addKeyValue("object", what)
                .addKeyValue("reason", e.getMessage())
                .log("left out because it cannot be read; 'onto fsck' describes the damage");
    }
}
