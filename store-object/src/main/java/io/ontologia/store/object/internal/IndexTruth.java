package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;

/**
 * Decides how much of a stored index may be used at a head. The chain of manifests is the truth; an index saves the time to
 * follow it. It counts as far as its anchor is in the history of the head, or the head in the history of the anchor. To check
 * that costs no request for an index that is level, and otherwise the manifests that have to be read anyway. An index without
 * such an anchor is replaced by the chain.
 */
final class IndexTruth {
    private final ObjectStore store;
    private final Chain chain;
    private final ExecutorService threads;

    IndexTruth(ObjectStore store, Chain chain, ExecutorService threads) {
        this.store = store;
        this.chain = chain;
        this.threads = threads;
    }

    /**
     * What is known at a head with the help of an index.
     *
     * @return empty when the index is no evidence for the history of the head
     */
    Optional<TypeIndex> extend(TypeIndex index, Head head) {
        long proven = provenUpTo(index, head);
        if (proven == 0 || hasOverlap(index)) {
            return Optional.empty();
        }
        List<TypeIndex.Entry> entries = new ArrayList<>();
        for (TypeIndex.Entry entry : index.entries()) {
            boolean crosses = entry.minCommitId() <= proven && entry.maxCommitId() > proven;
            if (crosses && proven < head.commitId()) {
                // A writer that knows no anchors replaced files on both sides of it.
                return Optional.empty();
            }
            if (entry.minCommitId() <= proven) {
                entries.add(entry.between(0, proven));
            }
        }
        for (Manifest manifest : chain.since(head, proven)) {
            manifest.file(index.type()).ifPresent(file -> entries.add(FileResolver.entry(manifest, file)));
        }
        TypeIndex extended =
                new TypeIndex(index.type(), head.commitId(), entries, TypeIndex.Anchor.at(head), index.other());
        return agreesAtHead(extended, head) ? Optional.of(extended) : Optional.empty();
    }

    /** Whether two entries stand for the same commit, whose rows would then be read twice. */
    private static boolean hasOverlap(TypeIndex index) {
        long before = 0;
        for (TypeIndex.Entry entry : index.entries()) {
            if (entry.minCommitId() <= before) {
                return true;
            }
            before = entry.maxCommitId();
        }
        return false;
    }

    /** The last commit of the head's history that the index was taken from; 0 when there is none. */
    private long provenUpTo(TypeIndex index, Head head) {
        if (index.anchor().isEmpty() || head.manifestPath().isEmpty()) {
            return 0;
        }
        TypeIndex.Anchor anchor = index.anchor().get();
        String newest = head.manifestPath().get();
        if (anchor.commitId() > index.upTo()) {
            return 0;
        }
        if (anchor.commitId() > head.commitId()) {
            // Others committed since the head was read; or the head was put back to an earlier commit.
            return isAncestor(head.commitId(), newest, anchor) ? head.commitId() : 0;
        }
        boolean isOfThisHistory = anchor.commitId() == head.commitId()
                ? anchor.manifestPath().equals(newest)
                : chain.pathAt(head.commitId(), newest, anchor.commitId())
                        .filter(anchor.manifestPath()::equals)
                        .isPresent();
        return isOfThisHistory ? anchor.commitId() : 0;
    }

    /** Whether a commit is in the history of an anchor; not when that history cannot be followed. */
    boolean isAncestor(long commitId, String manifestPath, TypeIndex.Anchor anchor) {
        try {
            return chain.pathAt(anchor.commitId(), anchor.manifestPath(), commitId)
                    .filter(manifestPath::equals)
                    .isPresent();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            return false;
        }
    }

    /** Whether an index names the file of the newest commit, which costs nothing to know. */
    private boolean agreesAtHead(TypeIndex index, Head head) {
        Manifest newest = chain.manifest(head.manifestPath().orElseThrow());
        List<TypeIndex.Entry> covering = index.entries().stream()
                .filter(entry -> entry.covers(head.commitId()))
                .toList();
        Optional<String> written = newest.file(index.type()).map(Manifest.File::path);
        if (covering.isEmpty()) {
            return written.isEmpty();
        }
        return covering.size() == 1
                && (!covering.get(0).isOfOneCommit()
                        || written.filter(covering.get(0).path()::equals).isPresent());
    }

    /**
     * The index of a type at a head, from the chain and those snapshots that hold rows of it.
     *
     * @param named what indices say that are no evidence by themselves; a snapshot whose origin is not known is used when it
     *     is named here and files of its commits are gone
     */
    TypeIndex rebuild(TypeIndex before, List<TypeIndex.Entry> named, Head head) {
        TypeRef type = before.type();
        List<Manifest> commits = chain.since(head, 0);
        List<Snapshots.CommitFile> files = Snapshots.filesOf(type, commits);
        List<TypeIndex.Entry> entries =
                files.size() > 1 ? new ArrayList<>(usable(type, files, named, head)) : new ArrayList<>();
        List<TypeIndex.Entry> snapshots = List.copyOf(entries);
        for (Manifest manifest : commits) {
            if (snapshots.stream().noneMatch(entry -> entry.covers(manifest.commitId()))) {
                manifest.file(type).ifPresent(file -> entries.add(FileResolver.entry(manifest, file)));
            }
        }
        return new TypeIndex(type, head.commitId(), entries, TypeIndex.Anchor.at(head), before.other());
    }

    /** The widest snapshots that do not overlap: those that are proven first, then those without which rows are missing. */
    private List<TypeIndex.Entry> usable(
            TypeRef type, List<Snapshots.CommitFile> files, List<TypeIndex.Entry> named, Head head) {
        Snapshots snapshots = Snapshots.of(type, store, threads);
        List<TypeIndex.Entry> whole = new ArrayList<>();
        List<TypeIndex.Entry> parts = new ArrayList<>();
        List<TypeIndex.Entry> doubtful = new ArrayList<>();
        Stream.concat(snapshots.entries().stream(), named.stream())
                .filter(entry -> !entry.isOfOneCommit() && entry.minCommitId() <= head.commitId())
                .distinct()
                .forEach(entry -> {
                    Optional<Long> agreed = snapshots.agreesUpTo(entry, files, head.commitId());
                    if (agreed.isEmpty()) {
                        doubtful.add(entry);
                    } else if (agreed.get() >= entry.minCommitId()) {
                        (agreed.get() < entry.maxCommitId() ? parts : whole).add(entry.between(0, agreed.get()));
                    }
                });
        doubtful.removeIf(entry -> entry.maxCommitId() > head.commitId() || !named.contains(entry));
        List<TypeIndex.Entry> chosen = new ArrayList<>();
        choose(whole, chosen);
        parts.addAll(doubtful);
        if (!parts.isEmpty()) {
            Set<String> present = Listing.keys(store, Keys.COMMITS);
            for (Snapshots.CommitFile file : files) {
                if (!present.contains(file.path())
                        && chosen.stream().noneMatch(entry -> entry.covers(file.commitId()))) {
                    fill(file.commitId(), parts, chosen);
                }
            }
        }
        return chosen;
    }

    /** Takes the rows of a commit whose file is gone, and of its neighbours, from the first snapshot that has them. */
    private static void fill(long commitId, List<TypeIndex.Entry> candidates, List<TypeIndex.Entry> chosen) {
        candidates.stream().filter(entry -> entry.covers(commitId)).findFirst().ifPresent(entry -> {
            long from = entry.minCommitId();
            long to = entry.maxCommitId();
            for (TypeIndex.Entry other : chosen) {
                from = other.maxCommitId() < commitId ? Math.max(from, other.maxCommitId() + 1) : from;
                to = other.minCommitId() > commitId ? Math.min(to, other.minCommitId() - 1) : to;
            }
            chosen.add(entry.between(from, to));
        });
    }

    private static void choose(List<TypeIndex.Entry> candidates, List<TypeIndex.Entry> chosen) {
        candidates.stream()
                .sorted(Comparator.<TypeIndex.Entry>comparingLong(entry -> entry.minCommitId() - entry.maxCommitId())
                        .thenComparing(TypeIndex.Entry::path))
                .filter(entry -> chosen.stream()
                        .noneMatch(other -> other.intersects(entry.minCommitId() - 1, entry.maxCommitId())))
                .forEachOrdered(chosen::add);
    }
}
