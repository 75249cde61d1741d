package io.ontologia.core;

/** What happens to the relations of an entity that is retracted. */
public enum Cascade {
    /** While there are any that the same commit does not retract, the commit is refused. */
    NONE,
    /** They are retracted by the same commit. */
    RELATIONS
}
