package io.ontologia.cli.internal.access;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import java.util.ArrayList;
import java.util.List;

/** The objects that make up an ontology in an object store. */
public final class StoreContent {
    /** The object that says which commit is the newest. */
    public static final String HEAD = "meta/head.json";

    /** The object that says that a copy to this place has not come to its end. */
    public static final String RESTORE = "meta/restore.json";

    /** The write lock. */
    public static final String LOCK = "meta/locks/ontology_write.json";

    /** Says up to which commit the events of commits have been enqueued. */
    public static final String OUTBOX = "meta/outbox.json";

    private static final List<String> PREFIXES =
            List.of("commits/", "snapshots/", "events/", "claims/", "dead_letters/", "sessions/", "meta/");
    private static final List<String> PASSING = List.of("meta/locks/", "meta/probe/");

    private StoreContent() {}

    /** All of them, in as many list requests as it takes; without locks, which belong to who works there now. */
    public static List<ObjectSummary> of(ObjectStore store) {
        List<ObjectSummary> objects = new ArrayList<>();
        for (String prefix : PREFIXES) {
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
