package io.ontologia.store.object.internal.events;

import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventCleanup;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventSession;
import io.ontologia.core.EventStatus;
import io.ontologia.core.ListedEvent;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.ClaimDocument;
import io.ontologia.store.object.internal.layout.EventDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What operators ask the event bus, and its clean-up. Reads everything that the answer needs, and remembers nothing. */
final class EventRecords {
    private final EventObjects objects;

    EventRecords(EventObjects objects) {
        this.objects = objects;
    }

    List<ListedEvent> list(String namespace, int limit, Instant now) {
        List<Event> events = objects.readable(keys(EventKeys.EVENTS, namespace), EventDocument::event).stream()
                .sorted(Event.ORDER)
                .limit(Math.max(0, limit))
                .toList();
        Map<String, List<String>> claims = claimKeys(namespace);
        List<EventStatus> status =
                objects.all(events, event -> EventStatus.of(states(claims.getOrDefault(event.id(), List.of())), now));
        List<ListedEvent> listed = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            listed.add(new ListedEvent(events.get(i), status.get(i)));
        }
        return listed;
    }

    private List<String> keys(String kind, String namespace) {
        return objects.keys(EventKeys.of(kind, namespace));
    }

    private Map<String, List<String>> claimKeys(String namespace) {
        Map<String, List<String>> byEvent = new HashMap<>();
        for (String key : keys(EventKeys.CLAIMS, namespace)) {
            EventKeys.claimName(key)
                    .ifPresent(name -> byEvent.computeIfAbsent(name.eventId(), unused -> new ArrayList<>())
                            .add(key));
        }
        return byEvent;
    }

    /** One after the other: this is asked for many events in parallel already. */
    private List<ClaimState> states(List<String> keys) {
        return keys.stream()
                .flatMap(key ->
                        objects
                                .store()
                                .get(key)
                                .map(object ->
                                        ClaimDocument.parse(key, object.bytes()).state())
                                .stream())
                .sorted(Comparator.comparing(ClaimState::handlerId))
                .toList();
    }

    List<DeadLetter> deadLetters(String namespace, int limit) {
        return objects.readable(keys(EventKeys.DEAD_LETTERS, namespace), EventDocument::deadLetter).stream()
                .sorted(Comparator.comparing(DeadLetter::failedAt)
                        .reversed()
                        .thenComparing(DeadLetter::eventId)
                        .thenComparing(DeadLetter::handlerId))
                .limit(Math.max(0, limit))
                .toList();
    }

    List<EventSession> sessions(String namespace) {
        return objects.read(keys(EventKeys.SESSIONS, namespace), EventDocument::session).stream()
                .sorted(Comparator.comparing(EventSession::startedAt).thenComparing(EventSession::sessionId))
                .toList();
    }

    List<EventNamespace> namespaces() {
        Set<String> names = new TreeSet<>(objects.namespaces(EventKeys.EVENTS));
        names.addAll(objects.namespaces(EventKeys.SESSIONS));
        return objects.all(
                names,
                name -> new EventNamespace(
                        name,
                        keys(EventKeys.EVENTS, name).size(),
                        keys(EventKeys.SESSIONS, name).size(),
                        keys(EventKeys.DEAD_LETTERS, name).size()));
    }

    Optional<EventInspection> inspect(String namespace, String eventId) {
        Optional<Event> event = keys(EventKeys.EVENTS, namespace).stream()
                .filter(key -> EventKeys.eventId(key).equals(Optional.of(eventId)))
                .flatMap(key -> objects.get(key).stream())
                .findFirst();
        return event.map(
                found -> new EventInspection(found, states(objects.keys(EventKeys.claims(namespace, eventId)))));
    }

    List<EventInspection> inspect(String eventId) {
        return objects.namespaces(EventKeys.EVENTS).stream()
                .flatMap(namespace -> inspect(namespace, eventId).stream())
                .toList();
    }

    /** What a clean-up removes: the events first, because without its claims an event would be handled again. */
    private record Old(List<String> events, List<String> claims) {}

    private Old old(String namespace, Instant before) {
        // Claims first: whatever has a claim in this list had its event before, so it is in the next list or removed.
        Map<String, List<String>> claims = claimKeys(namespace);
        List<String> old = new ArrayList<>();
        Set<String> kept = new HashSet<>();
        for (String key : keys(EventKeys.EVENTS, namespace)) {
            Optional<Instant> at = createdAt(key);
            if (at.isPresent() && at.get().isBefore(before)) {
                old.add(key);
            } else {
                EventKeys.eventId(key).ifPresent(kept::add);
            }
        }
        List<String> orphans = claims.entrySet().stream()
                .filter(entry -> !kept.contains(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
        return new Old(old, orphans);
    }

    /** Empty when nobody can tell: what cannot be read stays, for somebody to look at. */
    private Optional<Instant> createdAt(String key) {
        try {
            return EventKeys.createdAt(key).or(() -> objects.get(key).map(Event::createdAt));
        } catch (OntologiaException e) {
            if (!Unreadable.is(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    EventCleanup previewCleanup(String namespace, Instant before) {
        Old old = old(namespace, before);
        return new EventCleanup(old.events().size(), old.claims().size());
    }

    EventCleanup cleanup(String namespace, Instant before) {
        Old old = old(namespace, before);
        delete(old.events());
        delete(old.claims());
        return new EventCleanup(old.events().size(), old.claims().size());
    }

    private void delete(List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        Map<String, String> left = objects.store().deleteAll(keys);
        if (!left.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot remove " + left.size() + " objects",
                    left.values().iterator().next(),
                    "clean up again");
        }
    }
}
