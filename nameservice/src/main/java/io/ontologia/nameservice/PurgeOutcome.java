package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of a purge. */
public sealed interface PurgeOutcome {

    /** The record is gone, and its name is free. */
    record Purged() implements PurgeOutcome {}

    /** The record is not retracted; nothing was changed. */
    record StillActive(NameRecord actual) implements PurgeOutcome {}

    /** The reply was lost. The same call may be made again, and finishes what was begun. */
    record Unknown(OntologiaException reason) implements PurgeOutcome {}
}
