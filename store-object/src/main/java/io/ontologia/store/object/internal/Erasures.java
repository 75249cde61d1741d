package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.layout.ErasureDocument;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.Registry;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What was erased, by type. The documents never change, so each is read once. */
final class Erasures {
    private final ObjectStore store;
    private final Map<String, ErasureDocument> known = new ConcurrentHashMap<>();

    Erasures(ObjectStore store) {
        this.store = store;
    }

    /** What was erased of a type, in the state of a registry. */
    Optional<ErasureDocument> of(TypeRef type, Registry registry) {
        return Optional.ofNullable(registry.erased().get(type)).map(this::read);
    }

    private ErasureDocument read(String path) {
        ErasureDocument document = known.get(path);
        if (document == null) {
            document = ErasureDocument.parse(
                    path,
                    store.get(path)
                            .orElseThrow(() -> new OntologiaException(
                                    ErrorKind.CORRUPT,
                                    "cannot read '" + path + "'",
                                    "it is not there, although the registry names it",
                                    "restore it from a backup"))
                            .bytes());
            known.put(path, document);
        }
        return document;
    }

    /** The file that holds all rows of a type up to a commit; empty when nothing was erased from files of this store. */
    Optional<TypeIndex.Entry> base(TypeRef type, Registry registry) {
        return of(type, registry)
                .flatMap(ErasureDocument::base)
                .filter(entry -> entry.minCommitId() > registry.purgedUpTo(type));
    }

    /** Whether the rows that a commit wrote for a type are read from the file of an erasure, and not from the commit's own. */
    boolean isReplaced(TypeRef type, long commitId, Registry registry) {
        return base(type, registry).filter(entry -> entry.covers(commitId)).isPresent();
    }

    /** Whether a file may be read after the last erasure of its type. */
    boolean isRead(TypeRef type, TypeIndex.Entry entry, Registry registry) {
        return base(type, registry)
                .filter(base -> entry.minCommitId() <= base.maxCommitId() && !entry.equals(base))
                .isEmpty();
    }

    /** What is left of the erased rows of a commit. */
    List<ErasedRow> ofCommit(long commitId, Registry registry) {
        List<ErasedRow> rows = new ArrayList<>();
        for (TypeRef type : registry.erased().keySet()) {
            if (commitId > registry.purgedUpTo(type)) {
                of(type, registry).ifPresent(document -> rows.addAll(document.rowsOf(commitId)));
            }
        }
        return rows;
    }

    /** How many rows a commit wrote for a type and still has. */
    long rowCount(Manifest manifest, Manifest.File file, Registry registry) {
        return file.rowCount()
                - of(file.type(), registry)
                        .map(document -> document.rowsOf(manifest.commitId()).size())
                        .orElse(0);
    }

    /** Files of a type as they must be read: up to the last erasure the rows come from one file. */
    List<TypeIndex.Entry> clean(TypeRef type, List<TypeIndex.Entry> entries, View view, Chain chain) {
        Optional<TypeIndex.Entry> base = base(type, view.registry());
        if (base.isEmpty()) {
            return entries;
        }
        long upTo = base.get().maxCommitId();
        long head = view.head().commitId();
        List<TypeIndex.Entry> cleaned = new ArrayList<>();
        if (head >= base.get().minCommitId()) {
            // The head may be one that was read before the erasure, and the registry one of after it.
            cleaned.add(base.get().between(0, head));
        }
        if (entries.stream().anyMatch(entry -> entry.minCommitId() <= upTo && entry.maxCommitId() > upTo)) {
            // A compaction that knew nothing of the erasure merged files on both sides of it.
            for (Manifest manifest : chain.since(view.head(), Math.min(upTo, head))) {
                manifest.file(type)
                        .ifPresent(
                                file -> cleaned.add(Math.min(1, cleaned.size()), FileResolver.entry(manifest, file)));
            }
        } else {
            entries.stream().filter(entry -> entry.minCommitId() > upTo).forEach(cleaned::add);
        }
        return cleaned;
    }
}
