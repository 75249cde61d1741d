package io.ontologia.nameservice;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a record while its locks change. Only one state and one progress are shown, and they belong to the lock whose state it
 * is: what happens to another lock leaves them, and an error, alone. Used by one thread.
 */
final class LockedStatus {
    private static final String STATE = "state";
    private static final String PROGRESS = "progress";

    private final LockKind kind;
    private final Map<String, @Nullable Object> fields;

    LockedStatus(ConcernValue status, LockKind kind) {
        this.kind = kind;
        this.fields =
                new LinkedHashMap<>(status.payload().map(ConcernPayload::fields).orElse(Map.of()));
    }

    /** The status once the lock is claimed. */
    ConcernPayload claimed(LockHolder holder) {
        if (otherHeld().isEmpty()) {
            fields.put(STATE, kind.state());
            fields.remove(PROGRESS);
        }
        fields.put(kind.field(), holder.tree());
        fields.remove(SoftLocks.FENCE);
        return payload();
    }

    /** The status once the lock is released, or taken away. */
    ConcernPayload released() {
        fields.remove(kind.field());
        if (showsThisLock()) {
            fields.put(STATE, otherHeld().map(LockKind::state).orElse("ready"));
            fields.remove(PROGRESS);
        }
        return payload();
    }

    /** The status once the lock is refreshed. */
    ConcernPayload refreshed(Map<String, Object> lock, Optional<Double> progress) {
        Map<String, Object> tree = new LinkedHashMap<>(lock);
        if (progress.isPresent() && showsThisLock()) {
            fields.put(PROGRESS, progress.get());
        } else {
            progress.ifPresent(done -> tree.put(PROGRESS, done));
        }
        fields.put(kind.field(), tree);
        return payload();
    }

    private boolean showsThisLock() {
        return kind.state().equals(fields.get(STATE));
    }

    private Optional<LockKind> otherHeld() {
        return Stream.of(LockKind.values())
                .filter(other -> other != kind && fields.get(other.field()) instanceof Map<?, ?>)
                .findFirst();
    }

    private ConcernPayload payload() {
        return ConcernPayload.of(fields);
    }
}
