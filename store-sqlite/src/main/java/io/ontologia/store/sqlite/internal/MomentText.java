package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;

/** Moments and their texts, where mostly the same one follows: those of a batch. Used by one thread. */
final class MomentText {
    private Instant last = Instant.EPOCH;
    private String text = UtcTimestamp.format(last);

    String of(Instant moment) {
        if (!moment.equals(last)) {
            last = moment;
            text = UtcTimestamp.format(moment);
        }
        return text;
    }

    Instant parse(String stored) {
        if (!stored.equals(text)) {
            last = StoredText.moment("events", stored);
            text = stored;
        }
        return last;
    }
}
