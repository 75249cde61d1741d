package io.ontologia.cli.internal.events;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventSession;
import io.ontologia.core.EventStatus;
import io.ontologia.core.ListedEvent;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is on the event bus, for programs: the fields of the specification under its names. */
final class EventDocuments {
    private EventDocuments() {}

    static Map<String, @Nullable Object> of(Event event) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("id", event.id());
        document.put("namespace", event.namespace());
        document.put("type", event.type());
        document.put("payload", Json.parse(event.payloadJson()));
        document.put("created_at", UtcTimestamp.format(event.createdAt()));
        document.put("priority", event.priority());
        document.put("root_event_id", event.rootEventId());
        document.put("chain_depth", event.chainDepth());
        return document;
    }

    static Map<String, @Nullable Object> of(ListedEvent listed) {
        return of(listed.event(), listed.status());
    }

    static Map<String, @Nullable Object> of(Event event, EventStatus status) {
        Map<String, @Nullable Object> document = of(event);
        document.put("status", status.wireName());
        return document;
    }

    static Map<String, @Nullable Object> of(EventInspection found, Instant now) {
        Map<String, @Nullable Object> document = of(found.event(), found.status(now));
        document.put("claims", found.claims().stream().map(EventDocuments::of).toList());
        return document;
    }

    static Map<String, @Nullable Object> of(ClaimState claim) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("event_id", claim.eventId());
        document.put("handler_id", claim.handlerId());
        document.put("session_id", claim.sessionId());
        document.put("claimed_at", UtcTimestamp.format(claim.claimedAt()));
        document.put("lease_until", UtcTimestamp.format(claim.leaseUntil()));
        document.put("ack_at", claim.ackAt().map(UtcTimestamp::format).orElse(null));
        document.put("attempts", claim.attempts());
        document.put("available_at", UtcTimestamp.format(claim.availableAt()));
        document.put("last_error", claim.lastError().orElse(null));
        document.put(
                "dead_lettered_at",
                claim.deadLetteredAt().map(UtcTimestamp::format).orElse(null));
        return document;
    }

    static Map<String, @Nullable Object> of(DeadLetter letter) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("event_id", letter.eventId());
        document.put("handler_id", letter.handlerId());
        document.put("namespace", letter.namespace());
        document.put("failed_at", UtcTimestamp.format(letter.failedAt()));
        document.put("attempts", letter.attempts());
        document.put("last_error", letter.lastError());
        document.put("type", letter.eventType());
        document.put("event_type", letter.eventType());
        document.put("event_payload", Json.parse(letter.payloadJson()));
        document.put("root_event_id", letter.rootEventId());
        document.put("chain_depth", letter.chainDepth());
        return document;
    }

    static Map<String, @Nullable Object> of(EventSession session, Instant now, Duration ttl) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("session_id", session.sessionId());
        document.put("namespace", session.namespace());
        document.put("started_at", UtcTimestamp.format(session.startedAt()));
        document.put("last_heartbeat", UtcTimestamp.format(session.lastHeartbeat()));
        document.put("metadata", session.metadata());
        document.put("is_dead", session.isDead(now, ttl));
        return document;
    }

    static Map<String, @Nullable Object> of(EventNamespace namespace) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("namespace", namespace.name());
        document.put("events", namespace.events());
        document.put("sessions", namespace.sessions());
        document.put("dead_letters", namespace.deadLetters());
        return document;
    }
}
