package io.ontologia.store.object.internal.events;

import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.Finding.Severity;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.ClaimDocument;
import io.ontologia.store.object.internal.layout.EventDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import io.ontologia.store.object.internal.layout.EventKeys.ClaimName;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiFunction;

/** Reads all events, claims and dead letters, and compares the events with the commits that name them. Changes nothing. */
public final class EventCheck {
    private static final int AT_ONCE = 256;

    private final EventObjects objects;
    private final Report report;

    /** Receives what was found. */
    public interface Report {
        /**
         * Adds a finding.
         *
         * @param key of the object that is concerned
         */
        void add(String code, Severity severity, String message, String key);
    }

    EventCheck(EventObjects objects, Report report) {
        this.objects = objects;
        this.report = report;
    }

    /**
     * Checks everything.
     *
     * @param delivered commits whose events have been enqueued
     */
    public void run(List<Manifest> delivered) {
        Map<String, Event> named = new HashMap<>();
        // Newest first, so that the commit remains which enqueued an event first.
        delivered.stream()
                .sorted(Comparator.comparingLong(Manifest::commitId).reversed())
                .forEach(commit -> commit.events().forEach(event -> named.put(EventKeys.event(event), event)));
        Set<String> buried = new ConcurrentSkipListSet<>();
        List<String> claims = read(
                EventKeys.CLAIMS,
                (key, bytes) -> isClaim(key, bytes, buried),
                "unreadable-claim",
                "claims on events cannot be read, or belong under another key, and their handlers do not get these events: "
                        + "restore the object from a backup, or delete it to have the event handled again");
        List<String> letters = read(
                EventKeys.DEAD_LETTERS,
                EventCheck::isDeadLetter,
                "unreadable-dead-letter",
                "dead letters cannot be read, or belong under another key: restore the object from a backup, or delete it");
        Set<String> changed = new ConcurrentSkipListSet<>();
        List<String> events = read(
                EventKeys.EVENTS,
                (key, bytes) -> {
                    Event event = EventDocument.event(key, bytes);
                    if (!event.equals(named.getOrDefault(key, event))) {
                        changed.add(key);
                    }
                    return EventKeys.eventId(key).equals(Optional.of(event.id()));
                },
                "unreadable-event",
                "events cannot be read, or belong under another key, and workers leave them out: restore the object from a "
                        + "backup, or delete it");
        changed.forEach(key -> report.add(
                "changed-event",
                Severity.WARNING,
                "events differ from those that their commits name: they were changed, or others with the same id and time were "
                        + "enqueued before",
                key));
        checkMissing(delivered, new HashSet<>(events));
        new ClaimCheck(objects, report).run(claims, buried, letters, events);
    }

    /** Reads all objects of a kind, some at a time; those that are removed meanwhile are left out. */
    private List<String> read(String prefix, BiFunction<String, byte[], Boolean> isRight, String code, String message) {
        // Other objects do not take part in the event bus.
        List<String> keys = objects.keys(prefix).stream()
                .filter(key -> prefix.equals(EventKeys.EVENTS)
                        ? EventKeys.eventId(key).isPresent()
                        : EventKeys.claimName(key).isPresent())
                .toList();
        for (int i = 0; i < keys.size(); i += AT_ONCE) {
            List<String> some = keys.subList(i, Math.min(keys.size(), i + AT_ONCE));
            List<Boolean> right = objects.all(
                    some,
                    key -> objects.store()
                            .get(key)
                            .map(object -> isReadable(key, object.bytes(), isRight))
                            .orElse(true));
            for (int j = 0; j < some.size(); j++) {
                if (!right.get(j)) {
                    report.add(code, Severity.ERROR, message, some.get(j));
                }
            }
        }
        return keys;
    }

    private static boolean isReadable(String key, byte[] bytes, BiFunction<String, byte[], Boolean> isRight) {
        try {
            return isRight.apply(key, bytes);
        } catch (OntologiaException e) {
            if (!Unreadable.is(e)) {
                throw e;
            }
            return false;
        }
    }

    private static boolean isClaim(String key, byte[] bytes, Set<String> buried) {
        ClaimDocument claim = ClaimDocument.parse(key, bytes);
        if (claim.state().deadLetteredAt().isPresent()) {
            buried.add(key);
        }
        return EventKeys.claimName(key)
                .equals(Optional.of(
                        new ClaimName(claim.state().eventId(), claim.state().handlerId())));
    }

    private static boolean isDeadLetter(String key, byte[] bytes) {
        DeadLetter letter = EventDocument.deadLetter(key, bytes);
        return EventKeys.claimName(key).equals(Optional.of(new ClaimName(letter.eventId(), letter.handlerId())));
    }

    /**
     * A clean-up removes all events of a namespace that were created before a moment. So an event was not cleaned up when an older
     * one of its namespace is still there, which was enqueued by the same commit or an earlier one.
     */
    private void checkMissing(List<Manifest> delivered, Set<String> present) {
        List<Manifest> oldestFirst = delivered.stream()
                .sorted(Comparator.comparingLong(Manifest::commitId))
                .toList();
        Map<String, Event> oldest = new HashMap<>();
        for (Manifest commit : oldestFirst) {
            commit.events().stream()
                    .filter(event -> present.contains(EventKeys.event(event)))
                    .forEach(event -> oldest.merge(event.namespace(), event, EventCheck::older));
            for (Event event : commit.events()) {
                Event witness = oldest.get(event.namespace());
                if (!present.contains(EventKeys.event(event))
                        && witness != null
                        && witness.createdAt().isBefore(event.createdAt())
                        && isGone(event, witness)) {
                    report.add(
                            "missing-event",
                            Severity.WARNING,
                            "events of commits are gone although older ones of their namespace are still there: they were "
                                    + "deleted, or a clean-up did not finish; restore them from a backup, or run 'onto events "
                                    + "cleanup' again",
                            EventKeys.event(event));
                }
            }
        }
    }

    private static Event older(Event one, Event other) {
        return one.createdAt().isAfter(other.createdAt()) ? other : one;
    }

    /** Asks again, for the older one last: a clean-up may have begun since the events were listed. */
    private boolean isGone(Event event, Event witness) {
        return objects.store().get(EventKeys.event(event)).isEmpty()
                && objects.store().get(EventKeys.event(witness)).isPresent();
    }
}
