package io.ontologia.store.object.internal;

import io.ontologia.core.Event;
import io.ontologia.core.spi.Eraser.EventRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.layout.EventKeys;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes events from the bus and from the manifests of the commits that enqueued them. The digest of a commit does not cover its
 * events, so the manifest is replaced under its key. It comes first: an event that is still named there would be enqueued again.
 */
final class ErasedEvents {
    private final SharedStore shared;

    ErasedEvents(SharedStore shared) {
        this.shared = shared;
    }

    void remove(List<EventRef> events, View view) {
        if (events.isEmpty()) {
            return;
        }
        Set<EventRef> erased = new HashSet<>(events);
        for (Manifest manifest : shared.chain().back(view.head())) {
            List<Event> kept = manifest.events().stream()
                    .filter(event -> !erased.contains(new EventRef(event.namespace(), event.id())))
                    .toList();
            if (kept.size() < manifest.events().size()) {
                Manifest without = manifest.withEvents(kept);
                shared.store().put(manifest.path(), Payload.of(without.bytes()));
                shared.chain().remember(without);
            }
        }
        Set<String> namespaces = new HashSet<>();
        List<String> about = new ArrayList<>();
        for (EventRef event : events) {
            namespaces.add(event.namespace());
            about.addAll(Listing.keys(shared.store(), EventKeys.claims(event.namespace(), event.eventId())));
            about.addAll(Listing.keys(shared.store(), EventKeys.deadLetters(event.namespace(), event.eventId())));
        }
        List<String> keys = new ArrayList<>();
        for (String namespace : namespaces) {
            for (String key : Listing.keys(shared.store(), EventKeys.of(EventKeys.EVENTS, namespace))) {
                EventKeys.eventId(key)
                        .filter(id -> erased.contains(new EventRef(namespace, id)))
                        .ifPresent(id -> keys.add(key));
            }
        }
        // The events last: an erasure that is interrupted before finds them, and removes what belongs to them.
        delete(about);
        delete(keys);
    }

    private void delete(List<String> keys) {
        if (keys.isEmpty()) {
            return;
        }
        Map<String, String> left = shared.store().deleteAll(keys);
        if (!left.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot remove " + left.size() + " objects of events",
                    left.values().iterator().next(),
                    "preview the erasure again; no row was erased");
        }
    }
}
