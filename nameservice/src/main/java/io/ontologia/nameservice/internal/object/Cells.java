package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.BoundedObjectStore;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and swaps objects, and remembers their last known versions: a swap of a remembered version needs no read before it, and
 * a read of an unchanged object carries no content. What is remembered is never taken for the truth. Safe for use by many threads.
 */
final class Cells {
    private static final int REMEMBERED = 4096;
    /** How large a record or a part of one may be. */
    static final long MOST_BYTES = 16 << 20;

    private static final ETag GLANCED = new ETag("glanced");

    private final ObjectStore store;
    private final RandomGenerator random;
    private final Executor executor;
    private final Map<String, Cell> remembered = Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Cell> eldest) {
            return size() > REMEMBERED;
        }
    });

    private volatile Optional<LocalKeys> local = Optional.empty();

    /** What became of a swap. */
    sealed interface Swap {
        /** It is done. */
        record Written(Cell cell) implements Swap {}

        /** Somebody else was faster; nothing was changed. */
        record Refused() implements Swap {}

        /** Nobody knows. */
        record Unknown(OntologiaException reason) implements Swap {}
    }

    Cells(ObjectStore store, RandomGenerator random, Executor executor) {
        this.store = BoundedObjectStore.around(store, key -> MOST_BYTES);
        this.random = random;
        this.executor = executor;
    }

    ObjectStore store() {
        return store;
    }

    /** An id that no other attempt has. */
    String newId() {
        return RandomIds.hex(random, 24);
    }

    /** The last version of an object that was seen here, when it is still known. */
    Optional<Cell> remembered(String key) {
        return Optional.ofNullable(remembered.get(key));
    }

    /** The object as it is now. */
    Optional<Cell> read(String key) {
        Cell known = remembered.get(key);
        GetOptions options =
                known == null ? GetOptions.whole() : GetOptions.whole().ifNoneMatch(known.etag());
        GetOutcome outcome = store.get(key, options);
        if (known != null && outcome instanceof GetOutcome.NotModified) {
            return Optional.of(known);
        }
        if (outcome instanceof GetOutcome.Found found) {
            Cell cell = parse(key, found.object().bytes(), found.object().etag());
            remembered.put(key, cell);
            return Optional.of(cell);
        }
        remembered.remove(key);
        return Optional.empty();
    }

    /** The objects as files, when they are files of this machine. */
    Optional<LocalKeys> local() {
        Optional<LocalKeys> known = local;
        if (known.isEmpty()) {
            known = LocalKeys.of(store);
            local = known;
        }
        return known;
    }

    /** As {@link #read}, without remembering, for listings, which would push out everything else; not to be swapped. */
    Optional<Cell> glance(String key) {
        Optional<LocalKeys> files = local;
        if (files.isPresent()) {
            try {
                return Optional.of(parse(key, files.get().read(key), GLANCED));
            } catch (IOException e) {
                // Removed just now, or in trouble: the store knows which.
            }
        }
        return store.get(key).map(object -> parse(key, object.bytes(), GLANCED));
    }

    /** Does something for each element at the same time, and returns the results in the order of the elements. */
    <E, T> List<T> inParallel(List<E> elements, Function<E, T> work) {
        List<CompletableFuture<T>> others = new ArrayList<>();
        for (E element : elements.subList(Math.min(1, elements.size()), elements.size())) {
            others.add(CompletableFuture.supplyAsync(() -> work.apply(element), executor));
        }
        List<T> results = new ArrayList<>(elements.size());
        @Nullable RuntimeException failure = null;
        try {
            if (!elements.isEmpty()) {
                results.add(work.apply(elements.get(0)));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
        for (CompletableFuture<T> other : others) {
            try {
                results.add(other.join());
            } catch (CompletionException e) {
                failure = failure != null ? failure : e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    /** Creates an object where there is none. */
    Swap create(String key, Draft draft) {
        Map<String, @Nullable Object> tree = draft.tree(newId());
        Payload payload = Payload.of(CanonicalJson.bytes(tree));
        return settled(key, tree, store.putIfAbsent(key, payload));
    }

    /** Replaces the version that a cell was read from. */
    Swap replace(Cell current, Draft draft) {
        return replace(current, draft.tree(newId()));
    }

    private Swap replace(Cell current, Map<String, @Nullable Object> tree) {
        Payload payload = Payload.of(CanonicalJson.bytes(tree));
        return settled(current.key(), tree, store.putIfMatch(current.key(), payload, current.etag()));
    }

    void forget(String key) {
        remembered.remove(key);
    }

    private Swap settled(String key, Map<String, @Nullable Object> tree, PutOutcome outcome) {
        if (outcome instanceof PutOutcome.Written written) {
            Cell cell = new Cell(key, document(key), tree, written.etag());
            remembered.put(key, cell);
            return new Swap.Written(cell);
        }
        remembered.remove(key);
        return outcome instanceof PutOutcome.Unknown unknown ? new Swap.Unknown(unknown.reason()) : new Swap.Refused();
    }

    private Cell parse(String key, byte[] bytes, ETag etag) {
        String document = document(key);
        return new Cell(key, document, JsonObject.parse(document, bytes).fields(), etag);
    }

    private String document(String key) {
        String place = store.location();
        return place + (place.endsWith("/") || place.endsWith(":") ? "" : "/") + key;
    }
}
