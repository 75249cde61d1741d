package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep.Garbage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.SnapshotDescriptor;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds objects that nothing refers to: attempts at commits that never became visible, and snapshots that no index names.
 * Only what nobody wrote to for the grace period counts: a younger one may be about to be used.
 */
final class GarbageCollector {
    private final SharedStore shared;

    GarbageCollector(SharedStore shared) {
        this.shared = shared;
    }

    Garbage find(Duration olderThan) {
        // What is listed first can only become garbage less by what is looked at afterwards.
        List<ObjectSummary> commits = list(Keys.COMMITS);
        List<ObjectSummary> snapshots = list(Keys.SNAPSHOTS);
        Instant limit = shared.clock().now().minus(olderThan);
        // Before the head: a copy that ends meanwhile has moved it by then.
        boolean copying = shared.store().get(Keys.RESTORE).isPresent();
        View view = shared.views().fresh();
        if (copying && view.head().commitId() == 0) {
            return new Garbage(List.of(), 0);
        }
        List<ObjectSummary> garbage = new ArrayList<>();
        garbage.addAll(orphans(commits, view, limit));
        garbage.addAll(superseded(snapshots, view, limit));
        return garbage(garbage);
    }

    /** Data files of commits, older than the grace period, whose rows are certainly in a snapshot as well. */
    Garbage findCovered(Duration olderThan) {
        List<ObjectSummary> commits = list(Keys.COMMITS);
        Instant limit = shared.clock().now().minus(olderThan);
        Set<String> covered = new CoveredFiles(shared, shared.views().fresh(), limit).find();
        List<ObjectSummary> garbage = commits.stream()
                .filter(object ->
                        covered.contains(object.key()) && object.lastModified().isBefore(limit))
                .toList();
        return garbage(garbage);
    }

    private static Garbage garbage(List<ObjectSummary> objects) {
        return new Garbage(
                objects.stream().map(ObjectSummary::key).sorted().toList(),
                objects.stream().mapToLong(ObjectSummary::size).sum());
    }

    private List<ObjectSummary> orphans(List<ObjectSummary> commits, View view, Instant limit) {
        Set<String> live = new HashSet<>();
        for (Manifest manifest : shared.chain().back(view.head())) {
            live.add(attempt(manifest.path()));
            manifest.files().forEach(file -> live.add(attempt(file.path())));
        }
        Map<String, List<ObjectSummary>> attempts = new HashMap<>();
        commits.forEach(object -> attempts.computeIfAbsent(attempt(object.key()), unused -> new ArrayList<>())
                .add(object));
        return attempts.entrySet().stream()
                .filter(one -> !live.contains(one.getKey()))
                .map(Map.Entry::getValue)
                .filter(objects -> objects.stream()
                        .allMatch(object -> object.lastModified().isBefore(limit)))
                .flatMap(List::stream)
                .toList();
    }

    /** The folder of the attempt that an object belongs to. */
    private static String attempt(String key) {
        int end = key.indexOf('/', Keys.COMMITS.length());
        return end < 0 ? key : key.substring(0, end);
    }

    private List<ObjectSummary> superseded(List<ObjectSummary> snapshots, View view, Instant limit) {
        Set<String> live = new HashSet<>();
        for (TypeRef type : view.registry().types().keySet()) {
            // The stored index too: it may name a snapshot that our own view of the files does not.
            Stream.of(
                            shared.resolver().readIndex(type).entries(),
                            shared.resolver()
                                    .readCheckpoint(type)
                                    .map(TypeIndex::entries)
                                    .orElse(List.of()),
                            shared.resolver().files(type, view, 0, view.head().commitId()))
                    .flatMap(List::stream)
                    .forEach(entry -> {
                        live.add(entry.path());
                        if (entry.path().startsWith(Keys.SNAPSHOTS)) {
                            live.add(SnapshotDescriptor.keyOf(entry.path()));
                        }
                    });
        }
        return snapshots.stream()
                .filter(object ->
                        !live.contains(object.key()) && object.lastModified().isBefore(limit))
                .toList();
    }

    private List<ObjectSummary> list(String prefix) {
        List<ObjectSummary> objects = new ArrayList<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = shared.store().list(request);
            objects.addAll(page.objects());
            if (page.next().isEmpty()) {
                return objects;
            }
            request = request.continueAt(page.next().get());
        }
    }

    Garbage collect(Duration olderThan) {
        return remove(find(olderThan));
    }

    Garbage collectCovered(Duration olderThan) {
        return remove(findCovered(olderThan));
    }

    private Garbage remove(Garbage garbage) {
        Map<String, String> left = shared.store().deleteAll(garbage.keys());
        if (!left.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot remove " + left.size() + " of " + garbage.keys().size() + " objects",
                    left.values().iterator().next(),
                    "run it again; nothing that is needed was removed");
        }
        return garbage;
    }
}
