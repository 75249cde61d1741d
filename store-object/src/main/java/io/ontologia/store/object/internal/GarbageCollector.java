package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep.Garbage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.StoredObject;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds objects that nothing refers to: attempts at commits that never became visible, and snapshots that no index names. Only
 * objects that were not written to for the grace period count, by the clock of the store.
 *
 * <p>An age proves nothing about a writer that is stopped, so what could still be published is fenced before it is removed: the
 * head is rewritten before attempts beyond it are, and the index of a type before snapshots of that type are. A swap that was
 * prepared on the version before then fails.
 */
final class GarbageCollector {
    private static final int TRIES = 4;
    private static final String RUNTIME_ID = "onto-gc";

    private final SharedStore shared;
    private final Duration lockTimeout;

    GarbageCollector(SharedStore shared, Duration lockTimeout) {
        this.shared = shared;
        this.lockTimeout = lockTimeout;
    }

    /**
     * What was found at one view.
     *
     * @param dead attempts that lost their place to another commit
     * @param beyond attempts whose swap of the head could still succeed
     * @param snapshots that are named nowhere
     */
    private record Found(
            View view, List<ObjectSummary> dead, List<ObjectSummary> beyond, List<ObjectSummary> snapshots) {
        Garbage garbage() {
            return GarbageCollector.garbage(
                    Stream.of(dead, beyond, snapshots).flatMap(List::stream).toList());
        }
    }

    Garbage find(Duration olderThan) {
        return look(olderThan).map(Found::garbage).orElse(new Garbage(List.of(), 0));
    }

    /** Empty when a copy to this place is not finished: everything may be needed then. */
    private Optional<Found> look(Duration olderThan) {
        // What is listed first can only become garbage less by what is looked at afterwards.
        List<ObjectSummary> commits = list(Keys.COMMITS);
        List<ObjectSummary> snapshots = list(Keys.SNAPSHOTS);
        Instant limit = limit(olderThan);
        // Before the head: a copy that ends meanwhile has moved it by then.
        boolean copying = shared.store().get(Keys.RESTORE).isPresent();
        View view = shared.views().fresh();
        if (copying && view.head().commitId() == 0) {
            return Optional.empty();
        }
        List<ObjectSummary> orphans = new ArrayList<>(orphans(commits, view, limit));
        orphans.addAll(replaced(commits, snapshots, view, limit));
        return Optional.of(new Found(
                view,
                orphans.stream().filter(object -> !isBeyond(object, view)).toList(),
                orphans.stream().filter(object -> isBeyond(object, view)).toList(),
                superseded(snapshots, view, limit)));
    }

    /** Objects written before this moment of the store's clock may go. */
    private Instant limit(Duration olderThan) {
        return shared.store()
                .get(Keys.HEAD)
                .map(StoredObject::readAt)
                .orElseGet(shared.clock()::now)
                .minus(olderThan);
    }

    /** Data files of commits, older than the grace period, whose rows are certainly in a snapshot as well. */
    Garbage findCovered(Duration olderThan) {
        List<ObjectSummary> commits = list(Keys.COMMITS);
        Instant limit = limit(olderThan);
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

    /** Whether an attempt is at a commit after the newest one. What has no number could be anything. */
    private static boolean isBeyond(ObjectSummary object, View view) {
        String folder = attempt(object.key()).substring(Keys.COMMITS.length());
        int end = folder.indexOf('-');
        String number = end < 0 ? "" : folder.substring(0, end);
        return !number.matches("[0-9]{1,18}")
                || Long.parseLong(number) > view.head().commitId();
    }

    private List<ObjectSummary> superseded(List<ObjectSummary> snapshots, View view, Instant limit) {
        Set<String> live = new HashSet<>();
        view.registry().types().keySet().forEach(type -> {
            live.addAll(liveSnapshots(type, view));
            // Readers that began before an erasure may need the files that it replaced for as long.
            if (shared.erasures()
                    .base(type, view.registry())
                    .filter(base -> !isOld(base, snapshots, limit))
                    .isPresent()) {
                snapshots.stream()
                        .map(ObjectSummary::key)
                        .filter(key -> key.startsWith(Keys.snapshots(type)))
                        .forEach(live::add);
            }
        });
        return snapshots.stream()
                .filter(object ->
                        !live.contains(object.key()) && object.lastModified().isBefore(limit))
                .toList();
    }

    /** Data files of commits whose rows an erasure wrote to another file, which is older than the grace period as well. */
    private List<ObjectSummary> replaced(
            List<ObjectSummary> commits, List<ObjectSummary> snapshots, View view, Instant limit) {
        Set<String> replaced = new HashSet<>();
        for (TypeRef type : view.registry().erased().keySet()) {
            Optional<TypeIndex.Entry> base = shared.erasures().base(type, view.registry());
            if (base.isPresent() && isOld(base.get(), snapshots, limit)) {
                for (Manifest manifest : shared.chain().back(view.head())) {
                    if (base.get().covers(manifest.commitId())) {
                        manifest.file(type).ifPresent(file -> replaced.add(file.path()));
                    }
                }
            }
        }
        return commits.stream()
                .filter(object ->
                        replaced.contains(object.key()) && object.lastModified().isBefore(limit))
                .toList();
    }

    private static boolean isOld(TypeIndex.Entry file, List<ObjectSummary> objects, Instant limit) {
        return objects.stream()
                .anyMatch(object -> object.key().equals(file.path())
                        && object.lastModified().isBefore(limit));
    }

    private Set<String> liveSnapshots(TypeRef type, View view) {
        Optional<TypeIndex.Entry> base = shared.erasures().base(type, view.registry());
        Set<String> live = namedSnapshots(type, view, base);
        base.ifPresent(entry -> {
            live.add(entry.path());
            live.add(SnapshotDescriptor.keyOf(entry.path()));
        });
        return live;
    }

    /**
     * The files of a type that something names.
     *
     * @param base the file of the last erasure, which replaces those of earlier commits
     */
    private Set<String> namedSnapshots(TypeRef type, View view, Optional<TypeIndex.Entry> base) {
        Set<String> live = new HashSet<>();
        // The stored index too: it may name a snapshot that our own view of the files does not.
        Stream.of(
                        shared.resolver().readIndex(type).entries(),
                        shared.resolver()
                                .readCheckpoint(type)
                                .map(TypeIndex::entries)
                                .orElse(List.of()),
                        shared.resolver().files(type, view, 0, view.head().commitId()))
                .flatMap(List::stream)
                .filter(entry ->
                        base.isEmpty() || entry.minCommitId() > base.get().maxCommitId())
                .forEach(entry -> {
                    live.add(entry.path());
                    if (entry.path().startsWith(Keys.SNAPSHOTS)) {
                        live.add(SnapshotDescriptor.keyOf(entry.path()));
                    }
                });
        return live;
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
        for (int i = 0; i < TRIES; i++) {
            Optional<Found> found = look(olderThan);
            if (found.isEmpty()) {
                return new Garbage(List.of(), 0);
            }
            if (found.get().beyond().isEmpty() || fenceHead(found.get().view())) {
                List<ObjectSummary> garbage = new ArrayList<>(found.get().dead());
                garbage.addAll(found.get().beyond());
                garbage.addAll(fenceIndices(found.get()));
                return remove(garbage(garbage));
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY,
                "cannot remove attempts at commits",
                "other writers moved the head each of the " + TRIES + " times we tried",
                "try again; nothing was removed");
    }

    /**
     * Makes the swaps of all attempts fail that were prepared so far. Under the write lock, so that no commit under way has to
     * be made again.
     *
     * @return false when there was a commit since the view
     */
    private boolean fenceHead(View view) {
        return shared.writer().alone(RUNTIME_ID, lockTimeout, guard -> {
            View now = shared.views().current();
            guard.confirm(now.head());
            boolean fenced =
                    now.head().isSameCommit(view.head()) && shared.headFence().renew(now.head(), now.etag());
            shared.views().forget();
            return fenced;
        });
    }

    /** Makes prepared swaps of the indices fail that could name one of the snapshots, and returns those still named nowhere. */
    private List<ObjectSummary> fenceIndices(Found found) {
        List<ObjectSummary> garbage = new ArrayList<>(found.snapshots());
        for (TypeRef type : found.view().registry().types().keySet()) {
            String prefix = Keys.snapshots(type);
            if (garbage.stream().anyMatch(object -> object.key().startsWith(prefix))) {
                shared.indices().fence(type);
                shared.resolver().forget(type);
                Set<String> live = liveSnapshots(type, shared.views().current());
                garbage.removeIf(object -> live.contains(object.key()));
            }
        }
        return garbage;
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
