package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.StoredObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The objects that make up an ontology in an object store. */
public final class StoreContent {
    /** The object that says which commit is the newest. */
    public static final String HEAD = "meta/head.json";

    /** A field of the head while everything else is being removed: since when. */
    public static final String ERASING = "erasing_since";

    /** The object that says that a copy to this place has not come to its end. */
    public static final String RESTORE = "meta/restore.json";

    /** The schemas in force; swapped as a whole. */
    public static final String REGISTRY = "meta/schema/registry.json";

    /** The write lock. */
    public static final String LOCK = "meta/locks/ontology_write.json";

    /** Says up to which commit the events of commits have been enqueued. */
    public static final String OUTBOX = "meta/outbox.json";

    private static final List<String> DATA =
            List.of("commits/", "snapshots/", "events/", "claims/", "dead_letters/", "sessions/");
    private static final List<String> META = List.of("meta/");
    private static final List<String> HISTORY = List.of("commits/", "snapshots/", "meta/");
    private static final List<String> BUS = List.of("events/", "claims/", "dead_letters/", "sessions/");
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

    /**
     * Refuses a place that holds parts of a store without a head, or that a copy is being made to: a store that is created
     * there would be mixed with them.
     *
     * @param what cannot be done there
     * @throws CommandFailure with {@link ExitCode#COMMAND_FAILED}
     */
    public static void requireFree(ObjectStore store, String what) {
        Optional<StoredObject> head = store.get(HEAD);
        boolean hasCommits = head.filter(object -> !isEmptyHead(object)).isPresent();
        if (hasCommits) {
            return;
        }
        Optional<String> source = copySource(store);
        if (source.isPresent()) {
            throw refused(
                    what,
                    "a copy of " + source.get() + " to this place is not finished",
                    "run 'onto copy' again to finish it, or 'onto init --force --dry-run' to give it up");
        }
        if (head.isEmpty()) {
            List<ObjectSummary> found = of(store).stream()
                    .filter(object -> isOfHistory(object.key()))
                    .toList();
            if (!found.isEmpty()) {
                throw refused(
                        what,
                        "it holds " + found.size() + " objects of another store, such as '"
                                + found.get(0).key() + "', but no " + HEAD,
                        "finish the copy or restore that left them (" + HEAD
                                + " comes last), name an empty place, or remove them with 'onto init --force --dry-run'");
            }
        }
    }

    private static CommandFailure refused(String what, String cause, String remedy) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED, new OntologiaException(ErrorKind.CONFLICT, what, cause, remedy));
    }

    /** Where an unfinished copy to this place comes from. */
    public static Optional<String> copySource(ObjectStore store) {
        return store.get(RESTORE)
                .map(object -> JsonObject.parse(RESTORE, object.bytes()).text("source"));
    }

    /** The mark of an unfinished copy. */
    public static byte[] copyMark(String source, Instant since) {
        return CanonicalJson.bytes(Map.of("source", source, "started_at", UtcTimestamp.format(since)));
    }

    /** The head of a store without commits. */
    public static byte[] emptyHead(Instant now) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("commit_id", 0L);
        fields.put("manifest_path", null);
        fields.put("updated_at", UtcTimestamp.format(now));
        fields.put("runtime_id", "onto-init");
        return CanonicalJson.bytes(fields);
    }

    private static boolean isEmptyHead(StoredObject head) {
        try {
            return Json.parse(head.bytes()) instanceof Map<?, ?> fields
                    && fields.get("commit_id") instanceof Long commit
                    && commit == 0;
        } catch (OntologiaException e) {
            return false;
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

    /** Whether an object is part of the event bus. */
    public static boolean isOfBus(String key) {
        return BUS.stream().anyMatch(key::startsWith);
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
