package io.ontologia.nameservice;

/** What a subscriber is told. Configs are redacted: see {@link Redaction}. */
public sealed interface NameEvent {

    /** A record as it is when the subscription starts, or starts over after {@link Resync}. */
    record Snapshot(NameRecord record) implements NameEvent {}

    /** All records that were there have been told; from here on it is news. */
    record Live() implements NameEvent {}

    /** A record appeared. */
    record Created(NameRecord record) implements NameEvent {}

    /** A concern moved to a higher watermark. Retracting and restoring move the status. */
    record Moved(Alias alias, EntityType type, Concern concern, ConcernValue value) implements NameEvent {}

    /** A record was purged. */
    record Purged(Alias alias, EntityType type) implements NameEvent {}

    /** The subscriber was too slow, and events were dropped. Snapshots of everything follow: forget what you know. */
    record Resync() implements NameEvent {}
}
