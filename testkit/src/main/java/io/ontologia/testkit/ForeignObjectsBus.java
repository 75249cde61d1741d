package io.ontologia.testkit;

import static io.ontologia.testkit.ForeignJson.fields;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Section 15 of the specification of the store on objects: the event bus, one object for each record. */
final class ForeignObjectsBus implements ForeignBus {
    private static final String OWNER = "foreign";
    private static final List<String> CLAIM = List.of(
            "event_id",
            "handler_id",
            "session_id",
            "claimed_at",
            "lease_until",
            "ack_at",
            "attempts",
            "available_at",
            "last_error",
            "dead_lettered_at");
    private static final List<String> SESSION =
            List.of("session_id", "namespace", "started_at", "last_heartbeat", "metadata");

    private final ForeignDocuments documents;

    ForeignObjectsBus(ForeignDocuments documents) {
        this.documents = documents;
    }

    @Override
    public void enqueue(String namespace, String id, String type) {
        put(namespace, id, type, Map.of("by", OWNER));
    }

    private void put(String namespace, String id, String type, Map<String, ?> payload) {
        String now = documents.now();
        documents.putIfAbsent(
                "events/" + namespace + "/" + now.replace(':', '-') + "_" + id + ".json",
                fields(
                        "id",
                        id,
                        "namespace",
                        namespace,
                        "type",
                        type,
                        "payload",
                        payload,
                        "created_at",
                        now,
                        "priority",
                        100L,
                        "root_event_id",
                        id,
                        "chain_depth",
                        0L));
    }

    private List<JsonObject> sortedEvents(String namespace) {
        return documents.all("events/" + namespace + "/").stream()
                .sorted(Comparator.comparing((JsonObject event) -> -event.integer("priority"))
                        .thenComparing(event -> event.text("created_at"))
                        .thenComparing(event -> event.text("id")))
                .toList();
    }

    private static String claimKey(String namespace, String eventId, String handlerId) {
        return "claims/" + namespace + "/" + eventId + "/" + handlerId + ".json";
    }

    /** The fields of a document that the specification lists, in its order. */
    private static Map<String, @Nullable Object> listed(JsonObject document, List<String> names) {
        Map<String, @Nullable Object> fields = fields();
        names.forEach(name -> fields.put(name, document.fields().get(name)));
        return fields;
    }

    @Override
    public Optional<String> claim(String namespace, String handlerId, String type) {
        for (JsonObject event : sortedEvents(namespace)) {
            String id = event.text("id");
            if (event.text("type").equals(type) && take(namespace, id, handlerId)) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    private boolean take(String namespace, String id, String handlerId) {
        String key = claimKey(namespace, id, handlerId);
        Optional<ForeignDocuments.Versioned> before = documents.find(key);
        if (before.isEmpty()) {
            return documents.putIfAbsent(key, claim(id, handlerId, 0, documents.now()));
        }
        JsonObject claim = before.get().json();
        boolean free = claim.optionalText("ack_at").isEmpty()
                && claim.optionalText("dead_lettered_at").isEmpty()
                && claim.text("lease_until").compareTo(documents.now()) <= 0
                && claim.text("available_at").compareTo(documents.now()) <= 0;
        return free
                && documents.putIfMatch(
                        key,
                        claim(id, handlerId, claim.integer("attempts"), claim.text("available_at")),
                        before.get().etag());
    }

    private Map<String, @Nullable Object> claim(String id, String handlerId, long attempts, String availableAt) {
        return fields(
                "event_id",
                id,
                "handler_id",
                handlerId,
                "session_id",
                OWNER,
                "claimed_at",
                documents.now(),
                "lease_until",
                documents.in(LEASE),
                "ack_at",
                null,
                "attempts",
                attempts,
                "available_at",
                availableAt,
                "last_error",
                null,
                "dead_lettered_at",
                null);
    }

    @Override
    public void ack(String namespace, String handlerId, String eventId) {
        String key = claimKey(namespace, eventId, handlerId);
        ForeignDocuments.Versioned held = documents.find(key).orElseThrow();
        Map<String, @Nullable Object> acked = listed(held.json(), CLAIM);
        acked.put("ack_at", documents.now());
        documents.putIfMatch(key, acked, held.etag());
    }

    @Override
    public void release(String namespace, String handlerId, String eventId, String error) {
        String key = claimKey(namespace, eventId, handlerId);
        ForeignDocuments.Versioned held = documents.find(key).orElseThrow();
        Map<String, @Nullable Object> failed = listed(held.json(), CLAIM);
        long attempts = held.json().integer("attempts") + 1;
        failed.put("attempts", attempts);
        failed.put("last_error", error);
        failed.put("lease_until", documents.now());
        if (attempts >= MAX_ATTEMPTS) {
            failed.put("dead_lettered_at", documents.now());
            bury(namespace, handlerId, eventId, attempts, error);
        } else {
            failed.put("available_at", documents.in(ForeignBus.backoff(attempts).plus(Duration.ofMillis(50))));
        }
        documents.putIfMatch(key, failed, held.etag());
    }

    private void bury(String namespace, String handlerId, String eventId, long attempts, String error) {
        documents.put(
                "dead_letters/" + namespace + "/" + eventId + "/" + handlerId + ".json",
                fields(
                        "event_id",
                        eventId,
                        "handler_id",
                        handlerId,
                        "namespace",
                        namespace,
                        "failed_at",
                        documents.now(),
                        "attempts",
                        attempts,
                        "last_error",
                        error));
        put(
                namespace,
                UUID.nameUUIDFromBytes((eventId + handlerId).getBytes(StandardCharsets.UTF_8))
                        .toString(),
                "event.dead_letter",
                Map.of("event_id", eventId));
    }

    private static String sessionKey(String namespace, String sessionId) {
        return "sessions/" + namespace + "/" + sessionId + ".json";
    }

    @Override
    public void register(String namespace, String sessionId, Map<String, ?> metadata) {
        documents.put(
                sessionKey(namespace, sessionId),
                fields(
                        "session_id",
                        sessionId,
                        "namespace",
                        namespace,
                        "started_at",
                        documents.now(),
                        "last_heartbeat",
                        documents.now(),
                        "metadata",
                        metadata));
    }

    @Override
    public void heartbeat(String namespace, String sessionId) {
        String key = sessionKey(namespace, sessionId);
        ForeignDocuments.Versioned session = documents.find(key).orElseThrow();
        Map<String, @Nullable Object> alive = listed(session.json(), SESSION);
        alive.put("last_heartbeat", documents.now());
        documents.putIfMatch(key, alive, session.etag());
    }

    @Override
    public void cleanup(String namespace, Instant before) {
        String moment = UtcTimestamp.format(before);
        for (String key : documents.keys("events/" + namespace + "/")) {
            JsonObject event = documents.read(key);
            if (event.text("created_at").compareTo(moment) < 0) {
                documents.store.delete(key);
                documents
                        .keys("claims/" + namespace + "/" + event.text("id") + "/")
                        .forEach(documents.store::delete);
            }
        }
    }

    @Override
    public List<String> events(String namespace) {
        Map<String, String> status = new HashMap<>();
        for (JsonObject claim : documents.all("claims/" + namespace + "/")) {
            status.put(
                    claim.text("event_id"),
                    claim.optionalText("dead_lettered_at").isPresent()
                            ? "dead_lettered"
                            : claim.optionalText("ack_at").isPresent()
                                    ? "acked"
                                    : claim.text("lease_until").compareTo(documents.now()) > 0 ? "claimed" : "pending");
        }
        return sortedEvents(namespace).stream()
                .map(event -> event.text("id") + " " + event.text("type") + " "
                        + status.getOrDefault(event.text("id"), "pending"))
                .toList();
    }

    @Override
    public List<String> claims(String namespace, String eventId) {
        return documents.all("claims/" + namespace + "/" + eventId + "/").stream()
                .map(claim -> claim.text("handler_id") + " " + claim.text("session_id") + " "
                        + claim.integer("attempts") + " "
                        + claim.optionalText("last_error").orElse("null"))
                .toList();
    }

    @Override
    public List<String> deadLetters(String namespace) {
        return documents.all("dead_letters/" + namespace + "/").stream()
                .sorted(Comparator.comparing((JsonObject letter) -> letter.text("failed_at"))
                        .reversed())
                .map(letter -> letter.text("event_id") + " " + letter.text("handler_id") + " "
                        + letter.integer("attempts") + " " + letter.text("last_error"))
                .toList();
    }

    @Override
    public List<String> sessions(String namespace) {
        return documents.all("sessions/" + namespace + "/").stream()
                .map(session -> session.text("session_id") + " " + session.text("started_at") + " "
                        + session.text("last_heartbeat") + " "
                        + CanonicalJson.write(session.fields().get("metadata")))
                .sorted()
                .toList();
    }
}
