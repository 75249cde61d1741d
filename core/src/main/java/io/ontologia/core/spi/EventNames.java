package io.ontologia.core.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Names;
import io.ontologia.kernel.OntologiaException;

/** The names of the event bus. Any text will do that fits into a segment of an object key, on every backend alike. */
public final class EventNames {
    /** How long a percent-encoded name may be. */
    public static final int MAX_ENCODED = 200;

    private EventNames() {}

    /**
     * Returns the name when it is a valid one.
     *
     * @param what it is called in errors, for example {@code namespace}
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} otherwise
     */
    public static String require(String what, String name) {
        if (encodedLength(name) > MAX_ENCODED) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid " + what + " '" + name.substring(0, Math.min(20, name.length())) + "…'",
                    "percent-encoded it is longer than " + MAX_ENCODED + " characters",
                    "use a shorter one");
        }
        return name;
    }

    /** How long a name is when it is percent-encoded, which is what counts. */
    public static int encodedLength(String name) {
        return Names.encodeSegment(name).length();
    }
}
