package io.ontologia.store.object.internal.events;

import io.ontologia.core.Event;
import io.ontologia.kernel.OntologiaException;
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

        /** It was listed, and could not be read; it is read again when something else is in its place. */
        private boolean isUnreadable;

        private long size;
        private long written;

        Known(ObjectSummary listed, String id) {
            this.key = listed.key();
            this.id = id;
            see(listed);
        }

        private void see(ObjectSummary listed) {
            long moment = listed.lastModified().toEpochMilli();
            isUnreadable &= size == listed.size() && written == moment;
            size = listed.size();
            written = moment;
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
        List<ObjectSummary> listed = new ArrayList<>();
        while (true) {
            ListPage page = objects.store().list(request);
            listed.addAll(page.objects());
            if (page.next().isEmpty()) {
                break;
            }
            request = request.continueAt(page.next().get());
        }
        level(from.map(key -> byKey.tailMap(key, false)).orElse(byKey), listed, appeared, vanished);
    }

    private Optional<String> overlapStart() {
        return needsSweeping() ? byKey.descendingKeySet().stream().skip(OVERLAP).findFirst() : Optional.empty();
    }

    /** Lists the next page of all keys, from the first again after the last: one request. */
    void sweep(Consumer<Known> appeared, Consumer<Known> vanished) {
        ListRequest request = ListRequest.of(prefix);
        ListPage page = objects.store().list(sweptUpTo.isEmpty() ? request : request.startAfter(sweptUpTo));
        List<ObjectSummary> listed = page.objects();
        NavigableMap<String, Known> range = byKey.tailMap(sweptUpTo, false);
        if (page.next().isPresent() && !listed.isEmpty()) {
            sweptUpTo = listed.get(listed.size() - 1).key();
            range = range.headMap(sweptUpTo, true);
        } else {
            sweptUpTo = "";
        }
        level(range, listed, appeared, vanished);
    }

    private void level(
            NavigableMap<String, Known> range,
            List<ObjectSummary> listed,
            Consumer<Known> appeared,
            Consumer<Known> vanished) {
        Set<String> keys = new HashSet<>();
        listed.forEach(object -> keys.add(object.key()));
        List<Known> gone = range.values().stream()
                .filter(known -> !keys.contains(known.key))
                .toList();
        gone.forEach(known -> {
            byKey.remove(known.key);
            vanished.accept(known);
        });
        for (ObjectSummary object : listed) {
            Known present = byKey.get(object.key());
            if (present != null) {
                present.see(object);
                continue;
            }
            EventKeys.eventId(object.key()).ifPresent(id -> {
                Known known = new Known(object, id);
                byKey.put(known.key, known);
                appeared.accept(known);
            });
        }
    }

    /**
     * Fetches what is needed to say which of these are of the given types. Those that cannot be read are of none.
     *
     * @param vanished told of events that are not there any more
     */
    void load(Collection<Known> wanted, Set<String> types, Consumer<Known> vanished) {
        List<Known> missing = wanted.stream()
                .filter(known -> known.event == null && (known.type == null || types.contains(known.type)))
                .filter(known -> !known.isUnreadable)
                .toList();
        List<Fetched> fetched = objects.all(missing, known -> fetch(known.key));
        for (int i = 0; i < missing.size(); i++) {
            Known known = missing.get(i);
            Optional<Event> event = fetched.get(i).event();
            if (fetched.get(i).isUnreadable()) {
                known.isUnreadable = true;
            } else if (event.isEmpty()) {
                byKey.remove(known.key);
                vanished.accept(known);
            } else {
                known.type = event.get().type();
                known.event = types.contains(known.type) ? event.get() : null;
            }
        }
    }

    private record Fetched(Optional<Event> event, boolean isUnreadable) {}

    private Fetched fetch(String key) {
        try {
            return new Fetched(objects.get(key), false);
        } catch (OntologiaException e) {
            if (!Unreadable.is(e)) {
                throw e;
            }
            Unreadable.tell(key, e);
            return new Fetched(Optional.empty(), true);
        }
    }
}
