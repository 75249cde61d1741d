package io.ontologia.nameservice;

import java.util.EnumSet;
import java.util.Set;

/** The watermarks of a record: all that is needed to see what changed. Retracting and restoring raise {@code status}. */
public record Watermarks(long head, long index, long status, long config) {
    /** The watermark of one concern. */
    public long of(Concern concern) {
        return switch (concern) {
            case HEAD -> head;
            case INDEX -> index;
            case STATUS -> status;
            case CONFIG -> config;
        };
    }

    /** The concerns that moved since the earlier watermarks. */
    public Set<Concern> movedSince(Watermarks earlier) {
        Set<Concern> moved = EnumSet.noneOf(Concern.class);
        for (Concern concern : Concern.values()) {
            if (of(concern) > earlier.of(concern)) {
                moved.add(concern);
            }
        }
        return moved;
    }
}
