package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.spi.EpochSeconds;
import java.time.Instant;

/**
 * What tells a record from an earlier or later one of the same name. A foreign writer leaves the incarnation out; then the time of
 * creation alone decides.
 *
 * @param created when it was created, in seconds
 * @param incarnation what the creation was marked with; empty when it is not known
 */
public record RecordIdentity(String created, String incarnation) {

    /** The identity of a record. */
    public static RecordIdentity of(Instant createdAt, String incarnation) {
        return new RecordIdentity(EpochSeconds.write(createdAt).toString(), incarnation);
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the text is none
     */
    public static RecordIdentity parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid identity of a record",
                    "it has no slash",
                    "use it as the nameservice gave it");
        }
        return new RecordIdentity(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Whether both may be of one record: no difference between them shows that they are not. */
    public boolean matches(RecordIdentity other) {
        return created.equals(other.created)
                && (incarnation.isEmpty() || other.incarnation.isEmpty() || incarnation.equals(other.incarnation));
    }

    /** One text without spaces, for tags and messages between programs. */
    @Override
    public String toString() {
        return created + "/" + incarnation;
    }
}
