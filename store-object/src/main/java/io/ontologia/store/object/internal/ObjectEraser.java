package io.ontologia.store.object.internal;

import io.ontologia.core.ErasureRemains;
import io.ontologia.core.Event;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.Identity;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.layout.ErasureDocument;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Erases rows from a store on objects. All other rows of the type are written to one file; a document names it and has the hashes of
 * the erased rows. A registry that names the document waits for the commit that records the erasure. From that commit on, nothing
 * reads the earlier files, and {@code gc} removes them after its grace period.
 */
final class ObjectEraser implements Eraser {
    private final SharedStore shared;
    private final StorageOptions options;

    ObjectEraser(SharedStore shared, StorageOptions options) {
        this.shared = shared;
        this.options = options;
    }

    @Override
    public List<String> files(Set<TypeRef> types) {
        View view = shared.views().fresh();
        List<String> files = new ArrayList<>();
        for (TypeRef type : types) {
            if (view.registry().types().containsKey(type)) {
                shared.resolver()
                        .files(type, view, 0, view.head().commitId())
                        .forEach(entry -> files.add(entry.path()));
            }
        }
        return files;
    }

    @Override
    public void pastEvents(Consumer<Event> action) {
        shared.chain().stream(shared.views().fresh().head())
                .forEach(manifest -> manifest.events().forEach(action));
    }

    @Override
    public Erased erase(Request request) {
        List<ErasedRow> rows = new ArrayList<>();
        Restructuring restructuring = new Restructuring(
                request.lock(),
                request.expectedHead(),
                shared.views().fresh().registry().versions(),
                List.of(),
                outcomes -> request.metadata().apply(List.copyOf(rows)),
                request.runtimeId(),
                request.progress());
        Restructured done = new Restructurer(shared, options)
                .write(restructuring, (view, commitId) -> prepare(request, view, commitId, rows));
        return new Erased(done.commitId(), List.copyOf(rows), finish(request.runtimeId(), request.progress()));
    }

    /** Everything that the commit makes effective. */
    private Registry prepare(Request request, View view, long commitId, List<ErasedRow> rows) {
        request.progress().report("events", 0, request.events().size());
        new ErasedEvents(shared).remove(request.events(), view);
        Registry after = view.registry();
        long done = 0;
        for (Map.Entry<TypeRef, Set<Identity>> type : request.identities().entrySet()) {
            request.progress()
                    .report(
                            type.getKey().toString(),
                            done++,
                            request.identities().size());
            ErasureDocument document = write(type.getKey(), type.getValue(), view, commitId, rows);
            after = after.erased(type.getKey(), document.path());
        }
        request.progress().report("commit", 0, 1);
        return after;
    }

    private ErasureDocument write(
            TypeRef type, Set<Identity> identities, View view, long commitId, List<ErasedRow> rows) {
        shared.resolver().forget(type);
        Map<Long, List<ErasedRow>> all = new TreeMap<>();
        shared.erasures()
                .of(type, view.registry())
                .ifPresent(before ->
                        before.rows().forEach((commit, ofCommit) -> all.put(commit, new ArrayList<>(ofCommit))));
        long erased = 0;
        for (StoredRow row : versions(type, identities, view)) {
            ErasedRow one = new ErasedRow(type, RowsDigest.ofRow(row), commitId);
            all.computeIfAbsent(row.commitId(), unused -> new ArrayList<>()).add(one);
            rows.add(one);
            erased++;
        }
        TypeIndex.Entry base =
                new Compactor(shared, options.lockTimeout()).writeWithout(type, identities, erased, view);
        String path = Keys.erasure(type, commitId, RandomIds.hex(shared.random(), 8));
        ErasureDocument document = new ErasureDocument(path, type, Optional.of(base), all);
        shared.store().put(path, Payload.of(document.bytes()));
        return document;
    }

    private List<StoredRow> versions(TypeRef type, Set<Identity> identities, View view) {
        RowQuery query = RowQuery.of(type, new Window.History(0))
                .restrictedTo(new RowQuery.Restriction(
                        type.kind() == TypeKind.ENTITY ? RowQuery.Restriction.Part.KEY : RowQuery.Restriction.Part.LEFT,
                        identities.stream()
                                .map(identity -> identity instanceof Identity.OfRelation relation
                                        ? relation.leftKey()
                                        : ((Identity.OfEntity) identity).key())
                                .distinct()
                                .toList()));
        try (Stream<StoredRow> found = shared.answers().rows(query, view)) {
            return found.filter(row -> identities.contains(row.identity())).toList();
        }
    }

    @Override
    public ErasureRemains finish(String runtimeId, Progress progress) {
        View view = shared.views().fresh();
        List<String> places = new ArrayList<>();
        long done = 0;
        for (TypeRef type : view.registry().erased().keySet()) {
            progress.report("indices", done++, view.registry().erased().size());
            Optional<ErasureDocument> document = shared.erasures().of(type, view.registry());
            if (document.flatMap(ErasureDocument::base).isEmpty()
                    || !view.registry().types().containsKey(type)) {
                continue;
            }
            shared.indices().rewrite(type, view, index -> index);
            shared.resolver().forget(type);
            List<String> replaced = new ReplacedFiles(shared, view).of(type);
            shared.copies().forget(replaced);
            places.addAll(replaced);
        }
        if (!view.registry().erased().isEmpty()) {
            shared.discardTablesOnClose();
        }
        if (places.isEmpty()) {
            return ErasureRemains.none();
        }
        Instant from = shared.clock().now().plus(Upkeep.SHORTEST_GRACE);
        return new ErasureRemains(
                places,
                Optional.of(from),
                "from " + UtcTimestamp.format(from)
                        + " on, 'onto gc --older-than 1h --apply' removes them; readers that"
                        + " began before the erasure may need them until then");
    }

    @Override
    public List<Finding> check(Progress progress) {
        View view = shared.views().fresh();
        Check.Findings findings = new Check.Findings();
        long done = 0;
        for (TypeRef type : view.registry().erased().keySet()) {
            progress.report("erased rows", done++, view.registry().erased().size());
            if (view.registry().types().containsKey(type)) {
                new ReplacedFiles(shared, view)
                        .holding(type)
                        .forEach(path -> findings.add(
                                "erased-content",
                                Severity.WARNING,
                                "files that nothing reads still hold content of erased rows: 'onto gc' removes them when they are"
                                        + " old enough",
                                path));
            }
        }
        return findings.list();
    }
}
