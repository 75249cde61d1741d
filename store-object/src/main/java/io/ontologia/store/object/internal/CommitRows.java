package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.Optional;
import java.util.stream.Stream;

/** The rows that one commit wrote. */
final class CommitRows {
    private final SharedStore shared;

    CommitRows(SharedStore shared) {
        this.shared = shared;
    }

    /** Every row that a commit wrote for a type: from its own file, or, when that is gone, from the snapshot that has them. */
    Stream<StoredRow> of(Manifest manifest, Manifest.File file, View view) {
        Optional<TypeIndex.Entry> base =
                shared.erasures().base(file.type(), view.registry()).filter(entry -> entry.covers(manifest.commitId()));
        if (base.isPresent()) {
            RowQuery query = RowQuery.of(file.type(), new Window.History(manifest.commitId() - 1));
            return shared.answers().rows(base.get(), query).takeWhile(row -> row.commitId() == manifest.commitId());
        }
        try {
            return shared.answers().rowsOfFile(FileResolver.entry(manifest, file), file.type());
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            // What is known of the files may be from before the snapshot.
            shared.resolver().forget(file.type());
            return fromSnapshot(manifest.commitId(), file.type(), view, e);
        }
    }

    private Stream<StoredRow> fromSnapshot(long commit, TypeRef type, View view, OntologiaException gone) {
        RowQuery query = RowQuery.of(type, new Window.History(commit - 1));
        Stream<StoredRow> rows;
        try {
            rows = shared.answers().rows(snapshotOf(commit, type, view, gone), query);
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            shared.resolver().distrust(type, view.head());
            rows = shared.answers().rows(snapshotOf(commit, type, view, gone), query);
        }
        return rows.takeWhile(row -> row.commitId() == commit);
    }

    private TypeIndex.Entry snapshotOf(long commit, TypeRef type, View view, OntologiaException gone) {
        return shared.resolver().files(type, view, commit - 1, commit).stream()
                .filter(entry -> entry.path().startsWith(Keys.SNAPSHOTS) && entry.covers(commit))
                .findFirst()
                .orElseThrow(() -> gone);
    }
}
