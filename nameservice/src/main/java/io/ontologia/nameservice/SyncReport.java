package io.ontologia.nameservice;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What became of a record when it was brought in step with its upstream.
 *
 * @param concerns what became of each concern; empty when one side has no such record
 * @param notes what there is to say of the record itself; empty when its lifecycle and its dependencies were in step
 */
public record SyncReport(Map<Concern, SyncOutcome> concerns, List<Note> notes) {
    public SyncReport {
        concerns = concerns.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(concerns));
        notes = List.copyOf(notes);
    }

    /** What a note is about. */
    public enum Subject {
        /** Whether the record exists, and whether it is retracted. */
        LIFECYCLE,
        /** What it depends on. */
        DEPS
    }

    /** What became of it. */
    public enum Result {
        /** The side that was behind follows now. */
        MOVED,
        /** The other side is ahead: push and pull go the other way. */
        BEHIND,
        /** Both sides went their own way; a {@link Settlement} decides. */
        DIVERGED
    }

    /** One thing about the record, with its reason in words. */
    public record Note(Subject subject, Result result, String reason) {}
}
