package io.ontologia.objectstore;

import io.ontologia.kernel.OntologiaException;

/** What became of a conditional write. */
public sealed interface PutOutcome {

    /** The object is written; this was certainly our write. */
    record Written(ETag etag) implements PutOutcome {}

    /** The condition did not hold and certainly nothing was written. Only after this may a caller clean up. */
    record Refused() implements PutOutcome {}

    /**
     * The write was sent, its reply was lost, and the object as it is now does not tell whether the write landed and was
     * then replaced by somebody else's, or never landed, or still may. The caller must find out from what others built on
     * it, and must not undo anything.
     */
    record Unknown(OntologiaException reason) implements PutOutcome {}
}
