package io.ontologia.store.object.internal.events;

import io.ontologia.core.Event;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.EventDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** Objects of the event bus: events, which never change, and listings. Many objects are moved at a time. */
public final class EventObjects {
    private static final int TRIES = 4;

    private final ObjectStore store;
    private final ExecutorService threads;
    private final Consumer<List<Future<?>>> join;

    /** @param join waits for all, and throws what one of them threw */
    public EventObjects(ObjectStore store, ExecutorService threads, Consumer<List<Future<?>>> join) {
        this.store = store;
        this.threads = threads;
        this.join = join;
    }

    ObjectStore store() {
        return store;
    }

    /**
     * Does something with each, in parallel, and returns the answers in the order of the questions. What is done must not
     * call this itself: where all threads wait for tasks of their own, nobody is left to do these.
     */
    <A, B> List<B> all(Collection<A> questions, Function<A, B> ask) {
        List<A> list = List.copyOf(questions);
        AtomicReferenceArray<B> answers = new AtomicReferenceArray<>(list.size());
        List<Future<?>> asking = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            int number = i;
            asking.add(threads.submit(() -> answers.set(number, ask.apply(list.get(number)))));
        }
        join.accept(asking);
        List<B> result = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            result.add(Objects.requireNonNull(answers.get(i)));
        }
        return result;
    }

    /**
     * Stores events that are not there yet.
     *
     * @return those that are there now, in the given order
     * @throws OntologiaException of kind {@link ErrorKind#UNKNOWN_OUTCOME} when the store does not say whether one is
     */
    public List<Event> put(Collection<Event> events) {
        return all(events, this::putOne);
    }

    private Event putOne(Event event) {
        return place(event)
                .map(present -> parse(EventKeys.event(event), present))
                .orElse(event);
    }

    /**
     * Sees to it that events are there, for who does not need to know what is: whatever is in the place of one stays, even if
     * nobody can read it.
     *
     * @throws OntologiaException of kind {@link ErrorKind#UNKNOWN_OUTCOME} when the store does not say whether one is
     */
    public void ensure(Collection<Event> events) {
        all(events, this::place);
    }

    /** The same for one event, by the calling thread, which may be one of those that {@link #all} uses. */
    void ensure(Event event) {
        place(event);
    }

    /** Stores an event, and returns what was there already, if anything was. */
    private Optional<StoredObject> place(Event event) {
        String key = EventKeys.event(event);
        Payload payload = Payload.of(EventDocument.bytes(event));
        for (int i = 0; i < TRIES; i++) {
            PutOutcome outcome = store.putIfAbsent(key, payload);
            if (outcome instanceof PutOutcome.Written) {
                return Optional.empty();
            }
            Optional<StoredObject> present = store.get(key);
            if (present.isPresent()) {
                return present;
            }
            // Lost on its way, or removed by a clean-up in this very moment: once more.
        }
        throw new OntologiaException(
                ErrorKind.UNKNOWN_OUTCOME,
                "event " + event.id() + " may or may not be enqueued",
                "the reply was lost, and the store does not show it",
                "enqueue it again with the same id and time");
    }

    /** The event under a key. */
    Optional<Event> get(String key) {
        return store.get(key).map(object -> parse(key, object));
    }

    private static Event parse(String key, StoredObject object) {
        return EventDocument.event(key, object.bytes());
    }

    /** All keys under a prefix. */
    List<String> keys(String prefix) {
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

    /** The namespaces that have objects of a kind. */
    List<String> namespaces(String kind) {
        List<String> names = new ArrayList<>();
        ListRequest request = ListRequest.of(kind).foldingFolders();
        while (true) {
            ListPage page = store.list(request);
            page.groups().forEach(group -> EventKeys.namespace(group).ifPresent(names::add));
            if (page.next().isEmpty()) {
                return names;
            }
            request = request.continueAt(page.next().get());
        }
    }

    /** Parsed objects under a prefix; those that vanish meanwhile are left out. */
    <T> List<T> read(Collection<String> keys, BiFunction<String, byte[], T> parse) {
        List<Optional<T>> found = all(keys, key -> store.get(key).map(object -> parse.apply(key, object.bytes())));
        return found.stream().flatMap(Optional::stream).toList();
    }

    /** The same without those that cannot be read, which are named in the log. */
    <T> List<T> readable(Collection<String> keys, BiFunction<String, byte[], T> parse) {
        List<Optional<T>> found = all(
                keys,
                key -> store.get(key).flatMap(object -> {
                    try {
                        return Optional.of(parse.apply(key, object.bytes()));
                    } catch (OntologiaException e) {
                        if (!Unreadable.is(e)) {
                            throw e;
                        }
                        Unreadable.tell(key, e);
                        return Optional.empty();
                    }
                }));
        return found.stream().flatMap(Optional::stream).toList();
    }
}
