package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.SnapshotDescriptor;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which files hold the rows of a type. The index of the type answers where it can be believed; the commits after it,
 * and a head that it has wrong, are taken from the chain of manifests. An index that is missing or cannot be read costs
 * time and never a row.
 */
final class FileResolver {
    private static final Logger LOG = LoggerFactory.getLogger(FileResolver.class);

    /** From how many new commits on the index is asked instead of each of them. */
    private static final int SHORT_GAP = 16;

    private final ObjectStore store;
    private final Chain chain;
    private final ExecutorService threads;
    private final Map<TypeRef, Resolved> known = new ConcurrentHashMap<>();
    private final Map<TypeRef, TypeIndex> prepared = new ConcurrentHashMap<>();
    private volatile Optional<String> lastWarning = Optional.empty();

    private record Resolved(Head head, List<TypeIndex.Entry> entries) {}

    FileResolver(ObjectStore store, Chain chain, ExecutorService threads) {
        this.store = store;
        this.chain = chain;
        this.threads = threads;
    }

    /** What was last found wrong with an index. */
    Optional<String> lastWarning() {
        return lastWarning;
    }

    /** The files with the rows of a type from after one commit up to another, oldest first. */
    List<TypeIndex.Entry> files(TypeRef type, View view, long after, long upTo) {
        long gone = view.registry().purgedUpTo(type);
        return all(type, view.head()).stream()
                .filter(entry -> entry.minCommitId() > gone
                        && entry.intersects(after, Math.min(upTo, view.head().commitId())))
                .toList();
    }

    /** Reads the indices of several types, and the newest commit, together. */
    void prepare(List<TypeRef> types, View view) {
        List<Future<?>> reading = new ArrayList<>();
        for (TypeRef type : types) {
            if (!known.containsKey(type)) {
                reading.add(threads.submit(() -> prepared.put(type, readIndex(type))));
            }
        }
        if (!reading.isEmpty()) {
            view.head().manifestPath().ifPresent(path -> reading.add(threads.submit(() -> chain.manifest(path))));
            Threads.join(reading);
        }
        try {
            types.forEach(type -> all(type, view.head()));
        } finally {
            prepared.clear();
        }
    }

    private List<TypeIndex.Entry> all(TypeRef type, Head head) {
        Resolved before = known.get(type);
        if (before != null && before.head().isSameCommit(head)) {
            return before.entries();
        }
        List<TypeIndex.Entry> entries = before == null
                ? fromIndex(type, head)
                : afterKnown(type, before, head).orElseGet(() -> fromIndex(type, head));
        known.merge(
                type,
                new Resolved(head, entries),
                (old, now) -> old.head().commitId() > now.head().commitId() ? old : now);
        return entries;
    }

    /** Forgets what is known of a type: its files were replaced by others. */
    void forget(TypeRef type) {
        known.remove(type);
    }

    /** Goes back from the head to what is known; empty when that is far, or another history. */
    private Optional<List<TypeIndex.Entry>> afterKnown(TypeRef type, Resolved before, Head head) {
        if (head.commitId() <= before.head().commitId()
                || head.commitId() - before.head().commitId() > SHORT_GAP) {
            return Optional.empty();
        }
        List<TypeIndex.Entry> entries = new ArrayList<>(before.entries());
        Optional<String> next = head.manifestPath();
        while (next.isPresent()) {
            if (next.equals(before.head().manifestPath())) {
                return Optional.of(sorted(type, entries));
            }
            Manifest manifest = chain.manifest(next.get());
            if (manifest.commitId() <= before.head().commitId()) {
                return Optional.empty();
            }
            manifest.file(type).ifPresent(file -> entries.add(entry(manifest, file)));
            next = manifest.parentPath();
        }
        return before.head().commitId() == 0 ? Optional.of(sorted(type, entries)) : Optional.empty();
    }

    private List<TypeIndex.Entry> fromIndex(TypeRef type, Head head) {
        TypeIndex index = prepared.remove(type);
        return bringUpToDate(type, index == null ? readIndex(type) : index, head)
                .entries();
    }

    /** The index of a type as it is stored; where there is none that can be read, the copy of an earlier one. */
    TypeIndex readIndex(TypeRef type) {
        return read(type, Keys.index(type)).or(() -> readCheckpoint(type)).orElse(TypeIndex.empty(type));
    }

    /**
     * What the snapshots of a type say of themselves, for when nothing else is left that names them: the widest ones that do
     * not overlap. The files that they were made of may be gone.
     */
    private List<TypeIndex.Entry> fromSnapshots(TypeRef type, Head head) {
        List<TypeIndex.Entry> widest = new ArrayList<>();
        descriptors(type).stream()
                .map(SnapshotDescriptor::entry)
                .filter(entry -> entry.maxCommitId() <= head.commitId())
                .sorted(Comparator.<TypeIndex.Entry>comparingLong(entry -> entry.minCommitId() - entry.maxCommitId())
                        .thenComparing(TypeIndex.Entry::path))
                .filter(entry -> widest.stream()
                        .noneMatch(other -> other.intersects(entry.minCommitId() - 1, entry.maxCommitId())))
                .forEach(widest::add);
        return widest;
    }

    private List<SnapshotDescriptor> descriptors(TypeRef type) {
        List<SnapshotDescriptor> found = new ArrayList<>();
        ListRequest request = ListRequest.of(Keys.snapshots(type));
        while (true) {
            ListPage page = store.list(request);
            for (ObjectSummary object : page.objects()) {
                if (object.key().endsWith(".json")) {
                    store.get(object.key())
                            .map(stored -> SnapshotDescriptor.parse(object.key(), stored.bytes()))
                            .ifPresent(found::add);
                }
            }
            if (page.next().isEmpty()) {
                return found;
            }
            request = request.continueAt(page.next().get());
        }
    }

    /** The copy of an earlier index. */
    Optional<TypeIndex> readCheckpoint(TypeRef type) {
        return read(type, Keys.checkpoint(type));
    }

    private Optional<TypeIndex> read(TypeRef type, String key) {
        try {
            return store.get(key).map(object -> TypeIndex.parse(type, object.bytes()));
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            warn("the index of " + type + " cannot be read; the commits are read instead");
            return Optional.empty();
        }
    }

    /** What an index must say at a head: its own entries as far as it goes, then the commits after it. */
    TypeIndex bringUpToDate(TypeRef type, TypeIndex index, Head head) {
        if (head.commitId() == 0) {
            return TypeIndex.empty(type);
        }
        long covered = Math.min(index.upTo(), head.commitId());
        List<TypeIndex.Entry> kept = new ArrayList<>(index.entries().stream()
                .filter(entry -> entry.minCommitId() <= head.commitId())
                .toList());
        Manifest newest = chain.manifest(head.manifestPath().orElseThrow());
        Optional<String> headPath = newest.file(type).map(Manifest.File::path);
        if (covered == head.commitId() && headPath.isPresent()) {
            Optional<TypeIndex.Entry> covering =
                    kept.stream().filter(entry -> entry.covers(head.commitId())).findFirst();
            boolean right = covering.isPresent()
                    && (!covering.get().isOfOneCommit() || covering.get().path().equals(headPath.get()));
            if (!right) {
                warn("the index of " + type + (covering.isPresent() ? " names another file for" : " misses")
                        + " commit " + head.commitId() + "; the commits are read instead");
                kept.removeIf(entry -> entry.isOfOneCommit() && entry.covers(head.commitId()));
                covered = head.commitId() - 1;
            }
        } else if (covered < head.commitId() && index.upTo() > 0) {
            warn("the index of " + type + " ends at commit " + index.upTo() + " of " + head.commitId());
        }
        List<TypeIndex.Entry> later = new ArrayList<>();
        if (covered < head.commitId()) {
            for (Manifest manifest : chain.back(head)) {
                if (manifest.commitId() <= covered) {
                    break;
                }
                manifest.file(type).ifPresent(file -> later.add(entry(manifest, file)));
            }
        }
        if (index.upTo() == 0 && kept.isEmpty() && later.size() > 1) {
            kept.addAll(fromSnapshots(type, head));
        }
        return new TypeIndex(type, covered, kept, index.other()).advanced(later, head.commitId());
    }

    private void warn(String warning) {
        lastWarning = Optional.of(warning);
        LOG.atWarn().addKeyValue("store", store.location()).log(warning);
    }

    static TypeIndex.Entry entry(Manifest manifest, Manifest.File file) {
        return new TypeIndex.Entry(manifest.commitId(), manifest.commitId(), file.path(), file.sha256());
    }

    private static List<TypeIndex.Entry> sorted(TypeRef type, List<TypeIndex.Entry> entries) {
        return new TypeIndex(type, 0, entries, Map.of()).entries();
    }
}
