package io.ontologia.objectstore.internal;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;

/** What came of sending a conditional request once. */
public sealed interface Attempt {

    /** What can come of a conditional write. */
    sealed interface OfPut extends Attempt {}

    /** What can come of a conditional delete. */
    sealed interface OfDelete extends Attempt {}

    /** What can come of both when they do not succeed. */
    sealed interface Failed extends OfPut, OfDelete {}

    /** The server says that it wrote the object. */
    record Landed(ETag etag) implements OfPut {}

    /** The server says that it removed the object. */
    record Removed() implements OfDelete {}

    /** The server says that the condition does not hold (HTTP 412, or 404 when a version was named). */
    record PreconditionFailed() implements Failed {}

    /** The request certainly did nothing, and may do better when repeated: no connection, slow down. */
    record NotSent(OntologiaException reason) implements Failed {}

    /** The server says that another write was under way and that this one did nothing (HTTP 409). */
    record TryAgain() implements Failed {}

    /** The request was sent, and nobody knows what it did: timeout, broken connection, HTTP 5xx. */
    record NoReply(OntologiaException reason) implements Failed {}
}
