package io.ontologia.store.object.internal.events;

import io.ontologia.core.Event;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The events of a namespace that this process has seen listed. Keys sort by time, so what is new is found by listing from
 * a little before the newest known key; keys that appear far behind it, because a clock was slow or an old time was given,
 * are found by going through all keys a page at a time. Used by one thread at a time.
 */
final class KnownEvents {
    /** How many known keys a listing goes back: that far, late arrivals are seen at once. */
    static final int OVERLAP = 500;

    private final EventObjects objects;
    private final String prefix;
    private final NavigableMap<String, Known> byKey = new TreeMap<>();
    private String sweptUpTo = "";

    /** An event that was listed. Its content is fetched when somebody needs it, and let go when nobody does. */
    static final class Known {
        final String key;
        final String id;

        @Nullable String type;

        @Nullable Event event;

        Known(String key, String id) {
            this.key = key;
            this.id = id;
        }
    }

    KnownEvents(EventObjects objects, String namespace) {
        this.objects = objects;
        this.prefix = EventKeys.of(EventKeys.EVENTS, namespace);
    }

    Collection<Known> all() {
        return byKey.values();
    }

    /** Whether there are more than every listing of the newest shows. */
    boolean needsSweeping() {
        return byKey.size() > OVERLAP;
    }

    /** Lists the newest: one request while fewer than a page are new. */
    void listNewest(Consumer<Known> appeared, Consumer<Known> vanished) {
        ListRequest request = ListRequest.of(prefix);
        Optional<String> from = overlapStart();
        if (from.isPresent()) {
            request = request.startAfter(from.get());
        }
        List<String> keys = new ArrayList<>();
        while (true) {
            ListPage page = objects.store().list(request);
            page.objects().stream().map(ObjectSummary::key).forEach(keys::add);
            if (page.next().isEmpty()) {
                break;
            }
            request = request.continueAt(page.next().get());
        }
        level(from.map(key -> byKey.tailMap(key, false)).orElse(byKey), keys, appeared, vanished);
    }

    private Optional<String> overlapStart() {
        return needsSweeping() ? byKey.descendingKeySet().stream().skip(OVERLAP).findFirst() : Optional.empty();
    }

    /** Lists the next page of all keys, from the first again after the last: one request. */
    void sweep(Consumer<Known> appeared, Consumer<Known> vanished) {
        ListRequest request = ListRequest.of(prefix);
        ListPage page = objects.store().list(sweptUpTo.isEmpty() ? request : request.startAfter(sweptUpTo));
        List<String> keys = page.objects().stream().map(ObjectSummary::key).toList();
        NavigableMap<String, Known> range = byKey.tailMap(sweptUpTo, false);
        if (page.next().isPresent() && !keys.isEmpty()) {
            sweptUpTo = keys.get(keys.size() - 1);
            range = range.headMap(sweptUpTo, true);
        } else {
            sweptUpTo = "";
        }
        level(range, keys, appeared, vanished);
    }

    private void level(
            NavigableMap<String, Known> range, List<String> keys, Consumer<Known> appeared, Consumer<Known> vanished) {
        Set<String> listed = new HashSet<>(keys);
        List<Known> gone = range.values().stream()
                .filter(known -> !listed.contains(known.key))
                .toList();
        gone.forEach(known -> {
            byKey.remove(known.key);
            vanished.accept(known);
        });
        for (String key : keys) {
            if (!byKey.containsKey(key)) {
                EventKeys.eventId(key).ifPresent(id -> {
                    Known known = new Known(key, id);
                    byKey.put(key, known);
                    appeared.accept(known);
                });
            }
        }
    }

    /**
     * Fetches what is needed to say which of these are of the given types.
     *
     * @param vanished told of events that are not there any more
     */
    void load(Collection<Known> wanted, Set<String> types, Consumer<Known> vanished) {
        List<Known> missing = wanted.stream()
                .filter(known -> known.event == null && (known.type == null || types.contains(known.type)))
                .toList();
        List<Optional<Event>> events = objects.all(missing, known -> objects.get(known.key));
        for (int i = 0; i < missing.size(); i++) {
            Known known = missing.get(i);
            Optional<Event> event = events.get(i);
            if (event.isEmpty()) {
                byKey.remove(known.key);
                vanished.accept(known);
            } else {
                known.type = event.get().type();
                known.event = types.contains(known.type) ? event.get() : null;
            }
        }
    }
}
