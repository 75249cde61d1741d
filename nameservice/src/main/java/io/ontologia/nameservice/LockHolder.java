package io.ontologia.nameservice;

import io.ontologia.nameservice.spi.EpochSeconds;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who holds a soft lock, as the status of a record tells.
 *
 * @param holder the name that the holder gave itself
 * @param token what tells this hold from every other, also of the same holder
 * @param targetT the {@code t} that is being worked on
 * @param acquiredAt when it was taken, by the holder's clock
 * @param expiresAt until when it lasts unless it is refreshed, by the holder's clock
 */
public record LockHolder(String holder, String token, long targetT, Instant acquiredAt, Instant expiresAt) {

    /** The holder in a status; empty when the lock is free. A lock that others wrote and that says no end is over. */
    static Optional<LockHolder> in(ConcernValue status, LockKind kind) {
        return status.payload().flatMap(payload -> payload.object(kind.field())).map(lock -> {
            String holder = lock.text("holder").orElse("unknown");
            Instant acquired = moment(lock, "acquired_at");
            return new LockHolder(
                    holder,
                    lock.text("token").orElseGet(() -> holder + "@" + EpochSeconds.write(acquired)),
                    lock.integer("target_t").orElse(0L),
                    acquired,
                    moment(lock, "expires_at"));
        });
    }

    private static Instant moment(ConcernPayload lock, String field) {
        return EpochSeconds.read(lock.fields().get(field)).orElse(Instant.EPOCH);
    }

    /** Whether somebody else may take the lock: it ended so long ago that no clock within the margin still sees it held. */
    boolean isOver(Instant now, Duration margin) {
        return expiresAt.plus(margin).isBefore(now);
    }

    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("holder", holder);
        tree.put("token", token);
        tree.put("target_t", targetT);
        tree.put("acquired_at", acquiredAt.getEpochSecond());
        tree.put("expires_at", expiresAt.getEpochSecond());
        return tree;
    }

    LockHolder refreshed(Instant until) {
        return new LockHolder(holder, token, targetT, acquiredAt, until);
    }
}
