package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;

/** What became of a creation. */
public sealed interface CreateOutcome {

    /** The record is there, made by this call. */
    record Created(NameRecord record) implements CreateOutcome {}

    /** The name is taken, by an active record or a retracted one; nothing was changed. */
    record Exists(NameRecord actual) implements CreateOutcome {}

    /** The reply was lost, and what is there now does not tell who made it. Look before trying again. */
    record Unknown(OntologiaException reason) implements CreateOutcome {}
}
