package io.ontologia.store.object.internal.events;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects that nobody can make sense of, whoever put them there. Who works through a namespace says so and leaves them out,
 * because one of them is no reason to stop the others. Who asks for one of them, or for a list, is told what is wrong.
 */
final class Unreadable {
    private static final Logger LOG = LoggerFactory.getLogger(Unreadable.class);

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
                .log("left out: it cannot be read");
    }
}
