package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.output.Styled;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.EventStatus;

/** The status of an event in a table. */
final class StatusCell {
    private StatusCell() {}

    static Object of(EventStatus status) {
        return switch (status) {
            case DEAD_LETTERED -> new Styled(status.wireName(), Tone.BAD);
            case ACKED -> new Styled(status.wireName(), Tone.GOOD);
            case CLAIMED -> new Styled(status.wireName(), Tone.WEAK);
            case PENDING -> status.wireName();
        };
    }
}
