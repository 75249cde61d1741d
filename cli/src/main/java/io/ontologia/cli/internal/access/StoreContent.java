package io.ontologia.cli.internal.access;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects that make up an ontology in an object store. */
public final class StoreContent {
    /** The object that says which commit is the newest. */
    public static final String HEAD = "meta/head.json";

    /** A field of the head while everything else is being removed: since when. */
    public static final String ERASING = "erasing_since";

    /** The object that says that a copy to this place has not come to its end. */
    public static final String RESTORE = "meta/restore.json";

    /** The write lock. */
    public static final String LOCK = "meta/locks/ontology_write.json";

    /** Says up to which commit the events of commits have been enqueued. */
    public static final String OUTBOX = "meta/outbox.json";

    private static final List<String> DATA =
            List.of("commits/", "snapshots/", "events/", "claims/", "dead_letters/", "sessions/");
    private static final List<String> META = List.of("meta/");
    private static final List<String> HISTORY = List.of("commits/", "snapshots/", "meta/");
    private static final List<String> PASSING = List.of("meta/locks/", "meta/probe/");

    private StoreContent() {}

    /** Whether a head says that everything is being removed. */
    public static boolean isErasing(StoredObject head) {
        try {
            return Json.parse(head.bytes()) instanceof Map<?, ?> fields && fields.containsKey(ERASING);
        } catch (OntologiaException e) {
            return false;
        }
    }

    /**
     * Refuses a place where everything is being removed.
     *
     * @param what cannot be done there
     */
    public static void requireUsable(Optional<StoredObject> head, String what) {
        if (head.filter(StoreContent::isErasing).isPresent()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    what,
                    "'onto init --force' is removing everything there, or broke off",
                    "wait for it; if it broke off, 'onto init --force --dry-run' tells how to finish it");
        }
    }

    /** All of them, in as many list requests as it takes; without locks, which belong to who works there now. */
    public static List<ObjectSummary> of(ObjectStore store) {
        List<ObjectSummary> objects = new ArrayList<>(list(store, DATA));
        objects.addAll(list(store, META));
        return objects;
    }

    /** Whether an object is part of commits, snapshots, schemas and indices, and not of events. */
    public static boolean isOfHistory(String key) {
        return HISTORY.stream().anyMatch(key::startsWith);
    }

    /** Those that say what there is: the head, schemas, indices. */
    public static List<ObjectSummary> meta(ObjectStore store) {
        return list(store, META);
    }

    /** All others. */
    public static List<ObjectSummary> data(ObjectStore store) {
        return list(store, DATA);
    }

    private static List<ObjectSummary> list(ObjectStore store, List<String> prefixes) {
        List<ObjectSummary> objects = new ArrayList<>();
        for (String prefix : prefixes) {
            ListRequest request = ListRequest.of(prefix);
            while (true) {
                ListPage page = store.list(request);
                page.objects().stream()
                        .filter(object -> PASSING.stream().noneMatch(object.key()::startsWith))
                        .forEach(objects::add);
                if (page.next().isEmpty()) {
                    break;
                }
                request = request.continueAt(page.next().get());
            }
        }
        return objects;
    }
}
