package io.ontologia.store.object.internal.events;

import io.ontologia.core.EventSession;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.layout.EventDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The sessions of a store: each an object that is swapped. A heartbeat of a session that we know is one request. */
final class SessionObjects {
    private static final int TRIES = 8;

    private final ObjectStore store;
    private final Clock clock;
    private final RandomGenerator random;
    private final Map<String, Seen> known = new ConcurrentHashMap<>();

    private record Seen(EventSession session, ETag etag) {}

    SessionObjects(ObjectStore store, Clock clock, RandomGenerator random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    EventSession register(String namespace, String sessionId, Map<String, @Nullable Object> metadata) {
        return write(namespace, sessionId, (before, now) -> new EventSession(sessionId, namespace, now, now, metadata));
    }

    EventSession heartbeat(String namespace, String sessionId) {
        return write(
                namespace,
                sessionId,
                (before, now) -> before.map(session ->
                                new EventSession(sessionId, namespace, session.startedAt(), now, session.metadata()))
                        .orElseGet(() -> new EventSession(sessionId, namespace, now, now, Map.of())));
    }

    private EventSession write(
            String namespace, String sessionId, BiFunction<Optional<EventSession>, Instant, EventSession> how) {
        String key = EventKeys.session(namespace, sessionId);
        Seen seen = known.get(key);
        for (int i = 0; i < TRIES; i++) {
            if (seen == null) {
                seen = look(key).orElse(null);
            }
            EventSession next = how.apply(
                    Optional.ofNullable(seen).map(Seen::session), clock.now().truncatedTo(ChronoUnit.MICROS));
            Payload payload = Payload.of(EventDocument.bytes(next, RandomIds.hex(random, 16)));
            PutOutcome outcome =
                    seen == null ? store.putIfAbsent(key, payload) : store.putIfMatch(key, payload, seen.etag());
            if (outcome instanceof PutOutcome.Written written) {
                known.put(key, new Seen(next, written.etag()));
                return next;
            }
            known.remove(key);
            seen = null;
        }
        throw new OntologiaException(
                ErrorKind.BUSY,
                "cannot write session " + sessionId,
                "others kept changing it",
                "give every worker a session id of its own");
    }

    private Optional<Seen> look(String key) {
        return store.get(key).map(object -> new Seen(EventDocument.session(key, object.bytes()), object.etag()));
    }
}
