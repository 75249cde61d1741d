package io.ontologia.store.object.internal;

import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.layout.ClaimDocument;
import io.ontologia.store.object.internal.layout.EventDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Reads and writes all records of the event bus, for copies. Many objects are moved at a time. */
final class BusObjects {
    /** What holds the records, in the order in which copies take them. */
    static final List<String> PREFIXES =
            List.of(EventKeys.SESSIONS, EventKeys.DEAD_LETTERS, EventKeys.CLAIMS, EventKeys.EVENTS);

    private static final int AT_ONCE = 256;

    private final ObjectStore store;
    private final ExecutorService threads;
    private final RandomGenerator random;
    private final List<Future<?>> writing = new ArrayList<>();
    private Class<?> last = BusRecord.OfSession.class;

    BusObjects(ObjectStore store, ExecutorService threads, RandomGenerator random) {
        this.store = store;
        this.threads = threads;
        this.random = random;
    }

    /**
     * Gives every record, events last.
     *
     * @param owed events of commits that may not have been enqueued yet
     */
    void forEach(List<Event> owed, Consumer<BusRecord> action) {
        List<String> events = new ArrayList<>(keys(EventKeys.EVENTS));
        Set<String> present = new HashSet<>();
        events.forEach(key -> group(key).ifPresent(present::add));
        owed.forEach(event -> group(EventKeys.event(event)).ifPresent(present::add));
        read(
                keys(EventKeys.SESSIONS),
                (key, bytes) -> new BusRecord.OfSession(EventDocument.session(key, bytes)),
                action);
        read(
                keys(EventKeys.DEAD_LETTERS),
                (key, bytes) -> new BusRecord.OfDeadLetter(EventDocument.deadLetter(key, bytes)),
                action);
        List<String> claims = keys(EventKeys.CLAIMS).stream()
                .filter(key -> EventKeys.claimName(key)
                        .flatMap(name -> EventKeys.namespace(key).map(namespace -> namespace + "\n" + name.eventId()))
                        .filter(present::contains)
                        .isPresent())
                .toList();
        read(
                claims,
                (key, bytes) -> new BusRecord.OfClaim(
                        EventKeys.namespace(key).orElseThrow(),
                        ClaimDocument.parse(key, bytes).state()),
                action);
        Set<String> enqueued = new HashSet<>(events);
        read(events, (key, bytes) -> new BusRecord.OfEvent(EventDocument.event(key, bytes)), action);
        owed.stream()
                .filter(event -> !enqueued.contains(EventKeys.event(event)))
                .forEach(event -> action.accept(new BusRecord.OfEvent(event)));
    }

    private static Optional<String> group(String eventKey) {
        return EventKeys.namespace(eventKey)
                .flatMap(namespace -> EventKeys.eventId(eventKey).map(id -> namespace + "\n" + id));
    }

    private void read(List<String> keys, BiFunction<String, byte[], BusRecord> parse, Consumer<BusRecord> action) {
        for (int from = 0; from < keys.size(); from += AT_ONCE) {
            List<Future<Optional<BusRecord>>> reading = new ArrayList<>();
            for (String key : keys.subList(from, Math.min(keys.size(), from + AT_ONCE))) {
                reading.add(threads.submit(() -> store.get(key).map(object -> parse.apply(key, object.bytes()))));
            }
            Threads.join(reading);
            // What is gone by now was removed by a clean-up.
            reading.forEach(one -> Threads.done(one).ifPresent(action));
        }
    }

    /** Whether there is any record. */
    boolean isEmpty() {
        return PREFIXES.stream()
                .allMatch(prefix ->
                        store.list(ListRequest.of(prefix).pageSize(1)).objects().isEmpty());
    }

    /** Removes every record, of an earlier attempt at a copy. */
    void clear() {
        for (String prefix : PREFIXES) {
            List<String> keys = keys(prefix);
            if (!keys.isEmpty()) {
                Map<String, String> left = store.deleteAll(keys);
                left.keySet().forEach(store::delete);
            }
        }
    }

    /** Stores a record, soon; in the order of kinds, so that no event is there before the claims on it. */
    void write(BusRecord entry) {
        if (!entry.getClass().equals(last) || writing.size() >= AT_ONCE) {
            flush();
            last = entry.getClass();
        }
        writing.add(threads.submit(() -> put(entry)));
    }

    /** Waits until everything is stored. */
    void flush() {
        try {
            Threads.join(writing);
        } finally {
            writing.clear();
        }
    }

    private void put(BusRecord entry) {
        String attempt = RandomIds.hex(random, 16);
        if (entry instanceof BusRecord.OfSession of) {
            store.put(
                    EventKeys.session(of.session().namespace(), of.session().sessionId()),
                    Payload.of(EventDocument.bytes(of.session(), attempt)));
        } else if (entry instanceof BusRecord.OfDeadLetter of) {
            put(of.letter());
        } else if (entry instanceof BusRecord.OfClaim of) {
            store.put(
                    EventKeys.claim(
                            of.namespace(), of.claim().eventId(), of.claim().handlerId()),
                    Payload.of(new ClaimDocument(of.claim(), Optional.empty(), attempt).bytes()));
        } else if (entry instanceof BusRecord.OfEvent of) {
            store.put(EventKeys.event(of.event()), Payload.of(EventDocument.bytes(of.event())));
        }
    }

    /** A SQLite file may have several letters of one handler about one event; readers look at all objects of a namespace. */
    private void put(DeadLetter letter) {
        String key = EventKeys.deadLetter(letter.namespace(), letter.eventId(), letter.handlerId());
        Payload payload = Payload.of(EventDocument.bytes(letter));
        String stem = key.substring(0, key.length() - ".json".length());
        String place = key;
        for (int i = 2; ; i++) {
            PutOutcome outcome = store.putIfAbsent(place, payload);
            if (outcome instanceof PutOutcome.Written) {
                return;
            }
            if (outcome instanceof PutOutcome.Unknown unknown) {
                throw unknown.reason();
            }
            place = stem + "~" + i + ".json";
        }
    }

    private List<String> keys(String prefix) {
        List<String> keys = new ArrayList<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = store.list(request);
            page.objects().stream().map(ObjectSummary::key).forEach(keys::add);
            if (page.next().isEmpty()) {
                return keys;
            }
            request = request.continueAt(page.next().get());
        }
    }
}
