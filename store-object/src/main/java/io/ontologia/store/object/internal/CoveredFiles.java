package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.store.object.internal.engine.Checksum;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.SnapshotDescriptor;
import io.ontologia.store.object.internal.layout.TypeIndex;
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
 * Finds data files of commits whose rows are certainly in a snapshot as well. Certain means: the index that is stored and
 * its copy both name the snapshot, its descriptor is older than the grace period, its bytes and its rows have the checksums
 * that were noted when it was proven to hold the rows of its sources, those sources are the files that the manifests name,
 * it has as many rows of every commit as that commit's manifest says, and these are the very rows of the commit's own file.
 */
final class CoveredFiles {
    private final SharedStore shared;
    private final View view;
    private final Instant limit;

    CoveredFiles(SharedStore shared, View view, Instant limit) {
        this.shared = shared;
        this.view = view;
        this.limit = limit;
    }

    /** The keys of the files, for all known types; whether they still exist is not looked at. */
    Set<String> find() {
        Map<TypeRef, Map<Long, Manifest.File>> written = new HashMap<>();
        List<Manifest> commits = shared.chain().since(view.head(), 0);
        for (Manifest manifest : commits) {
            manifest.files()
                    .forEach(file -> written.computeIfAbsent(file.type(), unused -> new HashMap<>())
                            .put(manifest.commitId(), file));
        }
        Set<String> covered = new HashSet<>();
        for (TypeRef type : view.registry().types().keySet()) {
            Map<Long, Manifest.File> ofType = written.getOrDefault(type, Map.of());
            List<TypeIndex.Entry> named = named(type);
            Snapshots snapshots = named.isEmpty() ? Snapshots.none() : shared.snapshots(type);
            List<Snapshots.CommitFile> files = Snapshots.filesOf(type, commits);
            for (TypeIndex.Entry snapshot : named) {
                Map<Long, Manifest.File> inRange = new HashMap<>(ofType);
                inRange.keySet().removeIf(commit -> !snapshot.covers(commit));
                boolean isOfThisHistory = snapshots
                        .agreesUpTo(snapshot, files, view.head().commitId())
                        .filter(agreed -> agreed < snapshot.maxCommitId())
                        .isEmpty();
                if (isOfThisHistory && isProven(type, snapshots, snapshot, inRange)) {
                    different(type, snapshot, inRange).forEach(inRange::remove);
                    // Readers of the specification look for the newest commit's own files, whatever the index says.
                    inRange.remove(view.head().commitId());
                    inRange.values().forEach(file -> covered.add(file.path()));
                }
            }
        }
        return covered;
    }

    /** The commits whose own file has other rows than the snapshot. */
    private List<Long> different(TypeRef type, TypeIndex.Entry snapshot, Map<Long, Manifest.File> commits) {
        List<TypeIndex.Entry> own = new ArrayList<>();
        commits.forEach((commit, file) -> own.add(new TypeIndex.Entry(commit, commit, file.path(), file.sha256())));
        return new SnapshotContent(shared, type)
                .differences(snapshot, own).stream()
                        .map(TypeIndex.Entry::minCommitId)
                        .toList();
    }

    /** The snapshots that would still be found if the index were lost, and if the index and its copy were. */
    private List<TypeIndex.Entry> named(TypeRef type) {
        List<TypeIndex.Entry> entries = new ArrayList<>(entries(type, Keys.index(type)));
        entries.retainAll(entries(type, Keys.checkpoint(type)));
        entries.removeIf(entry -> entry.isOfOneCommit()
                || entry.maxCommitId() > view.head().commitId()
                || !entry.path().startsWith(Keys.snapshots(type))
                || entry.minCommitId() <= view.registry().purgedUpTo(type));
        return entries;
    }

    private List<TypeIndex.Entry> entries(TypeRef type, String key) {
        return shared.store()
                .get(key)
                .map(object -> TypeIndex.parse(type, object.bytes()).entries())
                .orElse(List.of());
    }

    private boolean isProven(
            TypeRef type, Snapshots snapshots, TypeIndex.Entry snapshot, Map<Long, Manifest.File> commits) {
        Optional<SnapshotDescriptor> descriptor = snapshots
                .descriptor(snapshot.path())
                .filter(found ->
                        found.entry().equals(snapshot) && found.createdAt().isBefore(limit));
        try {
            return descriptor.isPresent() && holds(type, descriptor.get(), commits);
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            return false;
        }
    }

    private boolean holds(TypeRef type, SnapshotDescriptor descriptor, Map<Long, Manifest.File> commits) {
        TypeIndex.Entry snapshot = descriptor.entry();
        try (LocalCopies.Opened opened = shared.copies().open(List.of(snapshot))) {
            String content = Sha256.hex(opened.files().get(0).path());
            Checksum rows = shared.engine().checksum(type, opened.files());
            if (!snapshot.sha256().equals(Optional.of(content))
                    || rows.rows() != descriptor.rowCount()
                    || !rows.digest().equals(descriptor.checksum())) {
                return false;
            }
        }
        Map<Long, Long> counts = new HashMap<>();
        try (Stream<StoredRow> rows = shared.answers().rowsOfFile(snapshot, type)) {
            rows.forEach(row -> counts.merge(row.commitId(), 1L, Long::sum));
        }
        Map<Long, Long> expected = new HashMap<>();
        commits.forEach((commit, file) -> expected.put(commit, file.rowCount()));
        return counts.equals(expected);
    }
}
