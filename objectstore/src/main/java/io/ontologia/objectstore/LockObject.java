package io.ontologia.objectstore;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A lock as it is stored. Fields of other writers are kept when a lock is changed. Its attempt id is {@code hold/n}: the
 * hold stays the same from acquire to release, and the number makes the bytes of every write different.
 */
final class LockObject {
    /** So far back that every clock agrees that a released lock is free. */
    private static final Instant RELEASED = Instant.EPOCH;

    /** How far the clocks of two machines may differ. */
    private static final Duration LARGEST_SKEW = Duration.ofMinutes(5);

    private static final String OWNER = "owner_id";
    private static final String ACQUIRED = "acquired_at";
    private static final String EXPIRES = "expires_at";
    private static final String TTL = "lease_ttl_ms";
    private static final String ATTEMPT = "attempt_id";
    private static final String TOKEN = "token";
    private static final String YIELDS = "yields";
    private static final String WANTED = "wanted_by";

    private final Map<String, @Nullable Object> fields;
    private final LeaseHolder holder;
    private final OptionalLong ttl;

    private LockObject(Map<String, @Nullable Object> fields, LeaseHolder holder, OptionalLong ttl) {
        this.fields = fields;
        this.holder = holder;
        this.ttl = ttl;
    }

    /** A lock that was just taken. */
    static LockObject held(String ownerId, WriteId id, Instant now, Duration ttl, long token) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(OWNER, ownerId);
        fields.put(ACQUIRED, UtcTimestamp.format(now));
        fields.put(EXPIRES, UtcTimestamp.format(now.plus(ttl)));
        fields.put(TTL, ttl.toMillis());
        fields.put(ATTEMPT, id.toString());
        fields.put(TOKEN, token);
        return of(JsonObject.of("lock", fields));
    }

    /**
     * Reads what is stored under a key.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} naming the key when it is no lock
     */
    static LockObject parse(String key, byte[] bytes) {
        try {
            return of(JsonObject.parse("it", bytes));
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read the lock object '" + key + "'",
                    withoutRemedy(e),
                    "'onto lock show' shows how to replace it",
                    e);
        }
    }

    /** A free lock in the place of one that cannot be read. */
    static LockObject replacing(WriteId id, long token) {
        return held("broken", id, RELEASED, Duration.ZERO, token);
    }

    static String withoutRemedy(OntologiaException e) {
        String message = e.getMessage();
        String remedy = ". " + e.remedy();
        return message.endsWith(remedy) ? message.substring(0, message.length() - remedy.length()) : message;
    }

    private static LockObject of(JsonObject json) {
        LeaseHolder holder = new LeaseHolder(
                json.text(OWNER),
                UtcTimestamp.parse(json.text(ACQUIRED)),
                UtcTimestamp.parse(json.text(EXPIRES)),
                json.optionalText(ATTEMPT).map(WriteId::holdOf),
                json.optionalInteger(TOKEN).orElse(0));
        return new LockObject(json.fields(), holder, json.optionalInteger(TTL));
    }

    /** The same lock, held for another ttl from now on, with at least the given token. */
    LockObject renewed(WriteId id, Instant now, Duration ttl, long atLeast) {
        return with(Map.of(
                EXPIRES,
                UtcTimestamp.format(now.plus(ttl)),
                TTL,
                ttl.toMillis(),
                ATTEMPT,
                id.toString(),
                TOKEN,
                Math.max(token(), atLeast)));
    }

    /** The same lock, given back. */
    LockObject released(WriteId id) {
        return with(Map.of(EXPIRES, UtcTimestamp.format(RELEASED), ATTEMPT, id.toString()));
    }

    /** The same lock, taken away from its holder: neither its owner nor its attempt is the holder's. */
    LockObject broken(WriteId id, long token) {
        return with(
                Map.of(OWNER, "broken", EXPIRES, UtcTimestamp.format(RELEASED), ATTEMPT, id.toString(), TOKEN, token));
    }

    /** The same lock, whose holder gives it back soon after it was asked to. */
    LockObject yielding() {
        return with(Map.of(YIELDS, true));
    }

    /** Whether its holder gives it back when it is asked to, and was not asked yet. */
    boolean canBeAskedFor() {
        return Boolean.TRUE.equals(fields.get(YIELDS)) && !isWanted();
    }

    /** The same lock, for which another writer asks its holder. */
    LockObject wanted(String by) {
        return with(Map.of(WANTED, by));
    }

    /** Whether another writer asked for it since it was taken. */
    boolean isWanted() {
        return fields.get(WANTED) != null;
    }

    private LockObject with(Map<String, Object> changes) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(fields);
        changed.putAll(changes);
        return of(JsonObject.of("lock", changed));
    }

    LeaseHolder holder() {
        return holder;
    }

    long token() {
        return holder.token();
    }

    boolean isReleased() {
        return holder.expiresAt().equals(RELEASED);
    }

    /** Whether anybody may take it. */
    boolean isFree(Instant now) {
        return isReleased() || holder.hasExpired(now);
    }

    /**
     * Whether its age, by the store's clock, says that its time is over: it was not renewed for longer than it lasts (and two
     * seconds more, because some stores count in seconds), or it was written in the future by a clock that was wrong.
     */
    boolean isOver(Duration age) {
        return age.compareTo(LARGEST_SKEW.negated()) < 0
                || (ttl.isPresent() && age.toMillis() > ttl.getAsLong() + 2_000);
    }

    boolean isOf(String hold) {
        return holder.attemptId().equals(Optional.of(hold));
    }

    Payload payload() {
        return Payload.of(CanonicalJson.bytes(fields));
    }

    /** Names one write of one hold. */
    record WriteId(String hold, int number) {
        @Override
        public String toString() {
            return hold + "/" + number;
        }

        static String holdOf(String attemptId) {
            int slash = attemptId.lastIndexOf('/');
            return slash < 0 ? attemptId : attemptId.substring(0, slash);
        }
    }
}
