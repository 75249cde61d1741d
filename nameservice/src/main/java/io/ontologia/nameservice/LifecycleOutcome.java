package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of a retraction or a restoration. */
public sealed interface LifecycleOutcome {

    /** The record changed its lifecycle by this call and no other. */
    record Changed(NameRecord record) implements LifecycleOutcome {}

    /** It was already as wanted; nothing was changed. */
    record Unchanged(NameRecord record) implements LifecycleOutcome {}

    /** The reply was lost, and the record as it is now does not tell. The same call may be made again. */
    record Unknown(OntologiaException reason) implements LifecycleOutcome {}
}
