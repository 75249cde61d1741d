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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which files hold the rows of a type. The index of the type is used as far as it is evidence for the commits of the
 * head ({@link IndexTruth}); the rest comes from the chain of manifests. An index that is missing, unreadable or of another
 * history costs time and never changes an answer.
 */
final class FileResolver {
    private static final Logger LOG = LoggerFactory.getLogger(FileResolver.class);

    /** From how many new commits on the index is asked instead of each of them. */
    private static final int SHORT_GAP = 16;

    private final ObjectStore store;
    private final Chain chain;
    private final Erasures erasures;
    private final ExecutorService threads;
    private final IndexTruth truth;
    private final Map<TypeRef, Resolved> known = new ConcurrentHashMap<>();
    private final Set<TypeRef> distrusted = ConcurrentHashMap.newKeySet();
    private final Map<TypeRef, TypeIndex> prepared = new ConcurrentHashMap<>();
    private volatile Optional<String> lastWarning = Optional.empty();

    private record Resolved(Head head, List<TypeIndex.Entry> entries) {}

    FileResolver(ObjectStore store, Chain chain, Erasures erasures, ExecutorService threads) {
        this.erasures = erasures;
        this.store = store;
        this.chain = chain;
        this.threads = threads;
        this.truth = new IndexTruth(store, chain, threads);
    }

    /** What was last found wrong with an index. */
    Optional<String> lastWarning() {
        return lastWarning;
    }

    /** The files with the rows of a type from after one commit up to another, oldest first. */
    List<TypeIndex.Entry> files(TypeRef type, View view, long after, long upTo) {
        long gone = view.registry().purgedUpTo(type);
        return clean(type, all(type, view.head()), view).stream()
                .filter(entry -> entry.minCommitId() > gone
                        && entry.intersects(after, Math.min(upTo, view.head().commitId())))
                .toList();
    }

    /** Files of a type as they must be read after its last erasure. */
    List<TypeIndex.Entry> clean(TypeRef type, List<TypeIndex.Entry> entries, View view) {
        return erasures.clean(type, entries, view, chain);
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

    /**
     * Takes the files of a type from the commits and the snapshots that are there, and no longer from its index, which names a
     * file that is gone. The next update replaces the index.
     */
    void distrust(TypeRef type, Head head) {
        distrusted.add(type);
        known.put(type, new Resolved(head, rebuild(type, readIndex(type), head).entries()));
    }

    /** The index of a type was replaced. */
    void trust(TypeRef type) {
        distrusted.remove(type);
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

    /** What an index must say at a head: its own entries as far as they are evidence, the rest from the commits. */
    TypeIndex bringUpToDate(TypeRef type, TypeIndex index, Head head) {
        if (head.commitId() == 0) {
            return TypeIndex.empty(type);
        }
        if (distrusted.contains(type)) {
            return rebuild(type, index, head);
        }
        Optional<TypeIndex> extended = truth.extend(index, head);
        if (extended.isPresent()) {
            return extended.get();
        }
        if (index.upTo() == 0 && index.entries().isEmpty()) {
            return truth.rebuild(index, List.of(), head);
        }
        if (index.anchor().isPresent()) {
            warn("the index of " + type + " does not belong to the commits up to " + head.commitId()
                    + "; the commits are read instead");
        }
        Optional<TypeIndex> checkpoint = readCheckpoint(type);
        return checkpoint.flatMap(copy -> truth.extend(copy, head)).orElseGet(() -> {
            List<TypeIndex.Entry> named = new ArrayList<>(index.entries());
            checkpoint.ifPresent(copy -> named.addAll(copy.entries()));
            return truth.rebuild(index, named, head);
        });
    }

    /** What an index must say at a head, from the commits alone. */
    TypeIndex rebuild(TypeRef type, TypeIndex index, Head head) {
        List<TypeIndex.Entry> named = new ArrayList<>(index.entries());
        readCheckpoint(type).ifPresent(copy -> named.addAll(copy.entries()));
        return head.commitId() == 0 ? TypeIndex.empty(type) : truth.rebuild(index, named, head);
    }

    /** Whether an index was taken from a later state of the history of another one's anchor. */
    boolean isAhead(TypeIndex index, TypeIndex other) {
        return index.anchor().isPresent()
                && other.anchor()
                        .filter(at -> at.commitId() < index.anchor().get().commitId()
                                && truth.isAncestor(
                                        at.commitId(),
                                        at.manifestPath(),
                                        index.anchor().get()))
                        .isPresent();
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
