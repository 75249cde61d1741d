package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.SnapshotDescriptor;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * The snapshots of one type and the files of commits that each was made of. A snapshot holds rows of a history as far as
 * those files are the ones that the manifests of that history name.
 */
final class Snapshots {
    private final Map<String, SnapshotDescriptor> descriptors;
    private final Set<String> present;
    private final Set<String> damaged;

    private Snapshots(Map<String, SnapshotDescriptor> descriptors, Set<String> present, Set<String> damaged) {
        this.descriptors = descriptors;
        this.present = present;
        this.damaged = damaged;
    }

    /** No snapshots. */
    static Snapshots none() {
        return new Snapshots(Map.of(), Set.of(), Set.of());
    }

    /** The file that one commit wrote for the type. */
    record CommitFile(long commitId, String path) {}

    /** Reads the descriptors of all snapshots of a type; what cannot be read is left out. */
    static Snapshots of(TypeRef type, ObjectStore store, ExecutorService threads) {
        Set<String> present = Listing.keys(store, Keys.snapshots(type));
        Set<String> damaged = new ConcurrentSkipListSet<>();
        List<Future<Optional<SnapshotDescriptor>>> reading = new ArrayList<>();
        for (String path : present) {
            if (path.endsWith(".parquet") && present.contains(SnapshotDescriptor.keyOf(path))) {
                reading.add(threads.submit(() -> read(store, SnapshotDescriptor.keyOf(path), damaged)));
            }
        }
        Threads.join(reading);
        Map<String, SnapshotDescriptor> found = new HashMap<>();
        for (Future<Optional<SnapshotDescriptor>> one : reading) {
            Threads.done(one)
                    .ifPresent(descriptor -> found.put(descriptor.entry().path(), descriptor));
        }
        return new Snapshots(found, present, damaged);
    }

    private static Optional<SnapshotDescriptor> read(ObjectStore store, String key, Set<String> damaged) {
        try {
            return store.get(key).map(object -> SnapshotDescriptor.parse(key, object.bytes()));
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            damaged.add(key);
            return Optional.empty();
        }
    }

    /** The files that the commits of a history wrote for a type, oldest first. */
    static List<CommitFile> filesOf(TypeRef type, List<Manifest> newestFirst) {
        List<CommitFile> files = new ArrayList<>();
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            Manifest manifest = newestFirst.get(i);
            manifest.file(type).ifPresent(file -> files.add(new CommitFile(manifest.commitId(), file.path())));
        }
        return files;
    }

    /** What each descriptor says about its snapshot. */
    List<TypeIndex.Entry> entries() {
        return descriptors.values().stream().map(SnapshotDescriptor::entry).toList();
    }

    /** The keys of descriptors that cannot be read. */
    Set<String> damaged() {
        return damaged;
    }

    /** Whether there is an object at the path of a snapshot. */
    boolean isThere(String path) {
        return present.contains(path);
    }

    /** Whether a snapshot certainly holds the rows that a commit of a history wrote. */
    boolean hold(long commitId, List<CommitFile> history, long head) {
        return entries().stream()
                .filter(entry -> entry.covers(commitId))
                .anyMatch(entry -> agreesUpTo(entry, history, head)
                        .filter(agreed -> agreed >= commitId)
                        .isPresent());
    }

    /** The descriptor of a snapshot. */
    Optional<SnapshotDescriptor> descriptor(String path) {
        return Optional.ofNullable(descriptors.get(path));
    }

    /**
     * Up to which commit a snapshot holds exactly the rows of a history.
     *
     * @param history the files of all its commits, oldest first
     * @param head its newest commit
     * @return a commit before the snapshot's first when it holds no such rows; empty when its descriptor does not tell
     */
    Optional<Long> agreesUpTo(TypeIndex.Entry snapshot, List<CommitFile> history, long head) {
        Optional<List<String>> sources = sources(snapshot.path());
        if (sources.isEmpty()) {
            return Optional.empty();
        }
        int next = 0;
        for (CommitFile file : history) {
            if (!snapshot.covers(file.commitId())) {
                continue;
            }
            if (next >= sources.get().size() || !sources.get().get(next).equals(file.path())) {
                return Optional.of(file.commitId() - 1);
            }
            next++;
        }
        // What is left are commits that this history does not have, or not yet.
        if (next < sources.get().size() && snapshot.maxCommitId() <= head) {
            return Optional.of(snapshot.minCommitId() - 1);
        }
        return Optional.of(Math.min(snapshot.maxCommitId(), head));
    }

    /** The files of commits that a snapshot was made of, by commit; empty when it is not known. */
    private Optional<List<String>> sources(String path) {
        SnapshotDescriptor descriptor = descriptors.get(path);
        if (descriptor == null || descriptor.commitFiles().isPresent()) {
            return Optional.ofNullable(descriptor).flatMap(SnapshotDescriptor::commitFiles);
        }
        // Earlier versions noted what was merged, in order; it may have been merged before.
        List<String> all = new ArrayList<>();
        for (String source : descriptor.sources()) {
            if (!source.startsWith(Keys.SNAPSHOTS)) {
                all.add(source);
            } else if (source.equals(path) || sources(source).isEmpty()) {
                return Optional.empty();
            } else {
                all.addAll(sources(source).orElseThrow());
            }
        }
        return Optional.of(all);
    }
}
