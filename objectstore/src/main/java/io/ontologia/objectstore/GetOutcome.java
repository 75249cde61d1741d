package io.ontologia.objectstore;

/** What a read found. */
public sealed interface GetOutcome {

    /** The object, or the part that was asked for. */
    record Found(StoredObject object) implements GetOutcome {}

    /** The object is still the version that the caller named. */
    record NotModified() implements GetOutcome {}

    /** There is no such object. */
    record Missing() implements GetOutcome {}
}
