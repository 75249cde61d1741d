package io.ontologia.objectstore;

import io.ontologia.kernel.OntologiaException;

/** What became of a conditional delete. */
public sealed interface DeleteOutcome {

    /**
     * The version that was named is gone, removed by this call; on S3 servers that answer alike when nothing is there,
     * perhaps by somebody else before it.
     */
    record Deleted() implements DeleteOutcome {}

    /** The object was another version, or there was none; certainly nothing was removed. */
    record Refused() implements DeleteOutcome {}

    /** The reply was lost, and the object as it is now does not tell by whom it was removed. */
    record Unknown(OntologiaException reason) implements DeleteOutcome {}
}
