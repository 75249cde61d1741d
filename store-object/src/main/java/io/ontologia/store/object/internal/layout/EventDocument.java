package io.ontologia.store.object.internal.layout;

import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventSession;
import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The documents of events, dead letters and sessions. */
public final class EventDocument {
    private static final String ATTEMPT = "attempt_id";

    private EventDocument() {}

    /** The fields of an event. */
    public static Map<String, @Nullable Object> fields(Event event) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", event.id());
        fields.put("namespace", event.namespace());
        fields.put("type", event.type());
        fields.put("payload", Json.parse(event.payloadJson()));
        fields.put("created_at", UtcTimestamp.format(event.createdAt()));
        fields.put("priority", event.priority());
        fields.put("root_event_id", event.rootEventId());
        fields.put("chain_depth", event.chainDepth());
        return fields;
    }

    /** An event as an object. */
    public static byte[] bytes(Event event) {
        return Sealed.bytes(fields(event));
    }

    /** Reads an event; what other writers leave out gets the specification's defaults. */
    public static Event event(JsonObject json) {
        String id = EventNames.require("event id", json.text("id"));
        return new Event(
                id,
                EventNames.require("namespace", json.text("namespace")),
                json.text("type"),
                CanonicalJson.write(json.fields().get("payload")),
                json.fields().get("priority") == null ? 100 : json.integer("priority"),
                UtcTimestamp.parse(json.text("created_at")),
                json.optionalText("root_event_id").orElse(id),
                json.fields().get("chain_depth") == null ? 0 : json.integer("chain_depth"));
    }

    /** A dead letter as an object. */
    public static byte[] bytes(DeadLetter letter) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("event_id", letter.eventId());
        fields.put("handler_id", letter.handlerId());
        fields.put("namespace", letter.namespace());
        fields.put("failed_at", UtcTimestamp.format(letter.failedAt()));
        fields.put("attempts", letter.attempts());
        fields.put("last_error", letter.lastError());
        fields.put("event_type", letter.eventType());
        fields.put("event_payload", Json.parse(letter.payloadJson()));
        fields.put("root_event_id", letter.rootEventId());
        fields.put("chain_depth", letter.chainDepth());
        return Sealed.bytes(fields);
    }

    /** Reads the event under a key. It belongs to the namespace of the key, where its claims are, whatever its field says. */
    public static Event event(String key, byte[] bytes) {
        Event event = Stored.read(key, () -> event(Sealed.parse(key, bytes)));
        return EventKeys.namespace(key)
                .filter(namespace -> key.startsWith(EventKeys.EVENTS) && !namespace.equals(event.namespace()))
                .map(namespace -> new Event(
                        event.id(),
                        namespace,
                        event.type(),
                        event.payloadJson(),
                        event.priority(),
                        event.createdAt(),
                        event.rootEventId(),
                        event.chainDepth()))
                .orElse(event);
    }

    /** Reads the dead letter under a key. */
    public static DeadLetter deadLetter(String key, byte[] bytes) {
        return Stored.read(key, () -> deadLetter(Sealed.parse(key, bytes)));
    }

    /** Reads a dead letter; other writers leave its event out. */
    public static DeadLetter deadLetter(JsonObject json) {
        String eventId = EventNames.require("event id", json.text("event_id"));
        Object payload = json.fields().get("event_payload");
        return new DeadLetter(
                eventId,
                EventNames.require("handler id", json.text("handler_id")),
                EventNames.require("namespace", json.text("namespace")),
                UtcTimestamp.parse(json.text("failed_at")),
                json.integer("attempts"),
                json.text("last_error"),
                json.optionalText("event_type").orElse(""),
                payload == null ? "{}" : CanonicalJson.write(payload),
                json.optionalText("root_event_id").orElse(eventId),
                json.fields().get("chain_depth") == null ? 0 : json.integer("chain_depth"));
    }

    /**
     * A session as an object.
     *
     * @param attempt unique to this write, so that equal bytes never hide a lost update
     */
    public static byte[] bytes(EventSession session, String attempt) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("session_id", session.sessionId());
        fields.put("namespace", session.namespace());
        fields.put("started_at", UtcTimestamp.format(session.startedAt()));
        fields.put("last_heartbeat", UtcTimestamp.format(session.lastHeartbeat()));
        fields.put("metadata", session.metadata());
        fields.put(ATTEMPT, attempt);
        return Sealed.replaceable(fields, ATTEMPT);
    }

    /** Reads the session under a key. */
    public static EventSession session(String key, byte[] bytes) {
        JsonObject json = Sealed.parseReplaceable(key, bytes, ATTEMPT);
        return new EventSession(
                json.text("session_id"),
                json.text("namespace"),
                UtcTimestamp.parse(json.text("started_at")),
                UtcTimestamp.parse(json.text("last_heartbeat")),
                json.fields().get("metadata") == null
                        ? Map.of()
                        : json.object("metadata").fields());
    }
}
