package io.ontologia.core;

import java.util.List;
import java.util.Optional;

/**
 * What a commit takes along to the event bus.
 *
 * <p>The events are enqueued if and only if the commit is made: not when it fails, and not when there is nothing to do.
 * Once a commit is visible its events cannot be lost, whoever crashes when; they are enqueued at once or, after a crash in
 * between, when somebody polls the bus next. When the commit's outcome is unknown, so is theirs, and it is the same one.
 *
 * @param events enqueued with the moment of the commit, where they name none
 * @param claim on whose behalf the commit is made; it is refused with a {@link ClaimLostException} when the claim is not
 *     live. On SQLite that is decided in the commit's own transaction; on object stores the claim is renewed first and must
 *     have a third of its lease left when the commit becomes visible, so it is as good as the clocks of the workers are
 */
public record Outbox(List<NewEvent> events, Optional<Claim> claim) {
    private static final Outbox NONE = new Outbox(List.of(), Optional.empty());

    public Outbox {
        events = List.copyOf(events);
    }

    /** Nothing. */
    public static Outbox none() {
        return NONE;
    }

    /** Events. */
    public static Outbox of(NewEvent... events) {
        return new Outbox(List.of(events), Optional.empty());
    }

    /** The same on behalf of a claim. Whether it is live is decided when the commit is made. */
    public Outbox onBehalfOf(Claim other) {
        return new Outbox(events, Optional.of(other));
    }

    /** Whether the commit is one without any business on the bus. */
    public boolean isEmpty() {
        return events.isEmpty() && claim.isEmpty();
    }
}
