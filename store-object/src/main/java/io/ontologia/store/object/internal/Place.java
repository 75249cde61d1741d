package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.RestoreMarker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** A place for a store, before its first commit: whether something else is there. */
final class Place {
    /**
     * What a store has only after it has a head. Events and indices are left out: late ones may arrive after a store was
     * erased. An index of another history is not used.
     */
    private static final List<String> CONTENT = List.of(Keys.COMMITS, Keys.SNAPSHOTS, "meta/schema/");

    private final ObjectStore store;

    Place(ObjectStore store) {
        this.store = store;
    }

    /**
     * Refuses a place without a head that holds parts of a store: what an interrupted copy or an unfinished restore left.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT}
     */
    void requireFree(ExecutorService threads) {
        List<Future<List<ObjectSummary>>> looking = new ArrayList<>();
        for (String prefix : CONTENT) {
            looking.add(threads.submit(
                    () -> store.list(ListRequest.of(prefix).pageSize(1)).objects()));
        }
        Future<Optional<RestoreMarker>> marker = threads.submit(this::marker);
        List<Future<?>> all = new ArrayList<>(looking);
        all.add(marker);
        Threads.join(all);
        Threads.done(marker).ifPresent(this::refuse);
        for (Future<List<ObjectSummary>> one : looking) {
            Threads.done(one).stream().findFirst().ifPresent(object -> {
                throw new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot create a store in " + store.location(),
                        "it holds parts of another one, such as '" + object.key() + "', but no " + Keys.HEAD,
                        "finish the copy or restore that left them (" + Keys.HEAD
                                + " comes last), name an empty place, or remove them with 'onto init --force'");
            });
        }
    }

    /**
     * Refuses a place that a copy is being made to.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT}
     */
    void requireNoCopy() {
        marker().ifPresent(this::refuse);
    }

    private Optional<RestoreMarker> marker() {
        return store.get(Keys.RESTORE).map(StoredObject::bytes).map(RestoreMarker::parse);
    }

    private void refuse(RestoreMarker marker) {
        throw new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot write to " + store.location(),
                "a copy of " + marker.source() + " to this place is not finished",
                "wait for it, or run 'onto copy' again; to give it up, run 'onto init --force --dry-run'");
    }
}
