package io.ontologia.store.object.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Event;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commits of a view from the first to the last. Their manifests are followed back once, to know where to begin. */
final class PastCommits implements StoreHistory {
    private final SharedStore shared;
    private final View view;
    private final RecordedDigests digests;
    private final PathSpool paths;
    private @Nullable Manifest current;

    PastCommits(SharedStore shared) {
        this.shared = shared;
        this.view = shared.views().fresh();
        this.digests = new RecordedDigests(shared.store());
        this.paths = PathSpool.of(
                shared.temporaryFile(".paths"),
                shared.chain().stream(view.head()).map(Manifest::path).iterator());
    }

    @Override
    public long head() {
        return view.head().commitId();
    }

    @Override
    public List<TypeHistory> types() {
        TreeSet<TypeRef> types = new TreeSet<>(Changes.BY_KIND_AND_NAME);
        types.addAll(view.registry().types().keySet());
        types.addAll(view.registry().retired().keySet());
        List<TypeHistory> histories = new ArrayList<>();
        for (TypeRef type : types) {
            List<SchemaVersion> versions = shared.catalog().versions(type, view.registry());
            boolean known = view.registry().types().containsKey(type);
            // Another writer may have dropped a type and its versions; then nothing is left to say of it.
            if (!versions.isEmpty()) {
                histories.add(
                        new TypeHistory(type, known ? TypeHistory.Status.KNOWN : TypeHistory.Status.DROPPED, versions));
            }
        }
        return histories;
    }

    @Override
    public Optional<CommitInfo> next() {
        Optional<Manifest> next = paths.take().map(shared.chain()::manifest);
        current = next.orElse(null);
        return next.map(manifest -> ObjectStorage.info(manifest, view, shared.erasures(), digests));
    }

    @Override
    public void rows(Consumer<PastRow> action) {
        Manifest manifest = current;
        if (manifest == null) {
            return;
        }
        for (Manifest.File file : manifest.files()) {
            if (manifest.commitId() > view.registry().purgedUpTo(file.type())) {
                try (Stream<StoredRow> rows = shared.rowsOfCommit(manifest, file, view)) {
                    rows.forEach(row -> action.accept(new PastRow(file.type(), row)));
                }
            }
        }
    }

    @Override
    public void bus(Consumer<BusRecord> action) {
        // The commits that owe events first: what is enqueued meanwhile is in the listing then.
        List<Event> owed = shared.outbox().owed(view.head());
        shared.bus().forEach(owed, action);
    }

    @Override
    public List<ErasedRow> erased() {
        Manifest manifest = current;
        return manifest == null ? List.of() : shared.erasures().ofCommit(manifest.commitId(), view.registry());
    }

    @Override
    public List<RowsDigest> purged() {
        Manifest manifest = current;
        if (manifest == null) {
            return List.of();
        }
        List<RowsDigest> purged = new ArrayList<>(manifest.purged());
        manifest.files().stream()
                .filter(file -> manifest.commitId() <= view.registry().purgedUpTo(file.type()))
                .forEach(file -> purged.add(file.rowsDigest()));
        return purged;
    }

    @Override
    public void close() {
        paths.close();
    }
}
