package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep.IndexState;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.List;
import java.util.Optional;

/** Compares the indices with the commits. */
final class IndexHealth {
    private final SharedStore shared;

    IndexHealth(SharedStore shared) {
        this.shared = shared;
    }

    /** The state of every index at a view, by kind and name of its type. */
    List<IndexState> verify(View view) {
        return view.registry().types().keySet().stream()
                .sorted(Changes.BY_KIND_AND_NAME)
                .map(type -> verify(type, view))
                .toList();
    }

    private IndexState verify(TypeRef type, View view) {
        Head head = view.head();
        Optional<TypeIndex> index = read(type);
        if (index.isEmpty()) {
            IndexStatus status = head.commitId() == 0 ? IndexStatus.OK : IndexStatus.MISSING;
            return new IndexState(type, 0, head.commitId(), 0, status);
        }
        return new IndexState(
                type,
                index.get().upTo(),
                head.commitId(),
                index.get().entries().size(),
                status(type, index.get(), head));
    }

    private IndexStatus status(TypeRef type, TypeIndex index, Head head) {
        if (index.upTo() < head.commitId()) {
            return IndexStatus.LAG;
        }
        Optional<String> written = head.manifestPath()
                .map(shared.chain()::manifest)
                .flatMap(manifest -> manifest.file(type))
                .map(Manifest.File::path);
        if (written.isEmpty()) {
            return IndexStatus.OK;
        }
        Optional<TypeIndex.Entry> entry = index.entries().stream()
                .filter(one -> one.covers(head.commitId()))
                .findFirst();
        if (entry.isEmpty()) {
            return IndexStatus.MISSING_LATEST_ENTRY;
        }
        return entry.get().isOfOneCommit() && !entry.get().path().equals(written.get())
                ? IndexStatus.PATH_MISMATCH
                : IndexStatus.OK;
    }

    private Optional<TypeIndex> read(TypeRef type) {
        try {
            return shared.store().get(Keys.index(type)).map(object -> TypeIndex.parse(type, object.bytes()));
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.CORRUPT) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
