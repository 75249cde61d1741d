package io.ontologia.store.object.internal;

import io.ontologia.core.Change;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Explanation;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DanglingRelations;
import io.ontologia.core.spi.DigestChain;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.LogQuery;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Step;
import io.ontologia.store.object.internal.events.ObjectEvents;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store on object storage, as one user of this process has it open. */
public final class ObjectStorage implements Storage {
    private final SharedStore shared;
    private final StorageOptions options;
    private final Runnable onClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<LongConsumer> compactionListeners = new CopyOnWriteArrayList<>();

    ObjectStorage(SharedStore shared, StorageOptions options, Runnable onClose) {
        this.shared = shared;
        this.options = options;
        this.onClose = onClose;
    }

    private SharedStore open() {
        if (closed.get()) {
            throw new OntologiaException(ErrorKind.CLOSED, "cannot use the store", "it was closed", "open it again");
        }
        return shared;
    }

    private SharedStore writable() {
        if (options.mode() != StorageOptions.Mode.READ_WRITE) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot write to " + location(),
                    "it was opened for reading",
                    "open it for writing");
        }
        return open();
    }

    @Override
    public String backend() {
        return shared.store().location().startsWith("s3:") ? "s3" : "object";
    }

    @Override
    public String location() {
        return shared.store().location();
    }

    @Override
    public long head() {
        return view().head().commitId();
    }

    /** What compacts this store piece by piece, for tests. */
    Step backgroundCompaction() {
        return open().compactions().step();
    }

    private View view() {
        return open().views().current();
    }

    @Override
    public List<SchemaVersion> schemas() {
        return open().views().atOpening().registry().types().values().stream()
                .sorted(java.util.Comparator.comparing(SchemaVersion::type, Changes.BY_KIND_AND_NAME))
                .toList();
    }

    @Override
    public List<SchemaVersion> schemaVersions(TypeRef type) {
        return open().catalog().versions(type, shared.views().fresh().registry());
    }

    @Override
    public long schemaVersion(TypeRef type) {
        // The newest view that anything was read at: to ask for a newer one would cost a request.
        Registry registry = open().views()
                .lastKnown()
                .orElseGet(() -> shared.views().current())
                .registry();
        SchemaVersion current = registry.types().get(type);
        return current == null ? 0 : current.version();
    }

    @Override
    public List<TypeRef> register(Collection<? extends OntologyType> types, String runtimeId) {
        Registry present = writable().views().fresh().registry();
        requireNoCopy();
        if (types.stream().allMatch(type -> present.types().containsKey(type.ref()))) {
            shared.catalog().names().keepRight(() -> shared.views().fresh().registry());
            return List.of();
        }
        return shared.writer().alone(runtimeId, options.lockTimeout(), guard -> {
            View view = shared.views().fresh();
            List<SchemaVersion> proposed = new ArrayList<>();
            for (OntologyType type : types) {
                if (!view.registry().types().containsKey(type.ref())) {
                    proposed.add(
                            shared.catalog().propose(type, view.registry(), runtimeId, "initial", Optional.empty()));
                }
            }
            guard.ensureSafe();
            List<TypeRef> registered = new ArrayList<>();
            Registry after = shared.catalog().change(view.head(), registry -> {
                registered.clear();
                Registry changed = registry;
                for (SchemaVersion version : proposed) {
                    // Who was away for long may come second: what is registered by now stays as it is.
                    if (!registry.types().containsKey(version.type())) {
                        changed = changed.with(version);
                        registered.add(version.type());
                    }
                }
                return changed;
            });
            shared.catalog().publish(after, view.head().commitId());
            shared.views().advance(view.head(), view.etag(), after);
            return registered;
        });
    }

    @Override
    public CommitResult commit(CommitRequest request) {
        writable();
        requireNoCopy();
        return shared.writer().commit(request, options.lockTimeout());
    }

    /** What is written before the first commit must not get in the way of a copy to the same place. */
    private void requireNoCopy() {
        if (shared.views()
                .lastKnown()
                .filter(view -> view.head().commitId() > 0)
                .isEmpty()) {
            new Place(shared.store()).requireNoCopy();
        }
    }

    @Override
    public List<Change> preview(CommitRequest request) {
        return writable().writer().preview(request);
    }

    @Override
    public EventStore events(EventOptions eventOptions) {
        return new ObjectEvents(() -> open().events(), () -> writable().events(), eventOptions);
    }

    @Override
    public Locks locks() {
        SharedStore store = open();
        return new ObjectLocks(store, options, store.writer()::makeWay);
    }

    @Override
    public Restructured restructure(Restructuring request) {
        return new Restructurer(writable(), options).write(request);
    }

    @Override
    public Eraser eraser() {
        return new ObjectEraser(open(), options);
    }

    @Override
    public Stream<CommitInfo> commits(long after, OptionalLong upTo) {
        View view = view();
        RecordedDigests digests = new RecordedDigests(shared.store());
        return shared.chain().stream(view.head())
                .takeWhile(manifest -> manifest.commitId() > after)
                .filter(manifest -> manifest.commitId() <= upTo.orElse(Long.MAX_VALUE))
                .map(manifest -> info(manifest, view, shared.erasures(), digests));
    }

    @Override
    public Stream<CommitInfo> commits(LogQuery query) {
        View view = view();
        RecordedDigests digests = new RecordedDigests(shared.store());
        long oldest = query.ids().stream()
                .flatMap(Set::stream)
                .mapToLong(Long::longValue)
                .min()
                .orElse(query.after() + 1);
        return shared.chain()
                .recent(view.head(), Math.max(query.after(), oldest - 1))
                .filter(manifest -> names(query, manifest))
                .map(manifest -> info(manifest, view, shared.erasures(), digests));
    }

    private static boolean names(LogQuery query, Manifest manifest) {
        return manifest.commitId() <= query.upTo().orElse(Long.MAX_VALUE)
                && query.ids().map(ids -> ids.contains(manifest.commitId())).orElse(true)
                && (query.types().isEmpty()
                        || manifest.files().stream()
                                .anyMatch(file -> query.types().contains(file.type())));
    }

    static CommitInfo info(Manifest manifest, View view, Erasures erasures, RecordedDigests digests) {
        long rows = manifest.files().stream()
                .filter(file -> manifest.commitId() > view.registry().purgedUpTo(file.type()))
                .mapToLong(file -> erasures.rowCount(manifest, file, view.registry()))
                .sum();
        return new CommitInfo(
                manifest.commitId(), manifest.createdAt(), rows, manifest.metadata(), digests.of(manifest));
    }

    @Override
    public Optional<CommitInfo> commit(long id) {
        View view = view();
        RecordedDigests digests = new RecordedDigests(shared.store());
        return shared.chain().find(view.head(), id).map(manifest -> info(manifest, view, shared.erasures(), digests));
    }

    @Override
    public long commitAt(Instant moment) {
        return shared.chain().stream(view().head())
                .filter(manifest -> !manifest.createdAt().isAfter(moment))
                .findFirst()
                .map(Manifest::commitId)
                .orElse(0L);
    }

    @Override
    public Optional<Duration> clockAhead() {
        return Optional.of(open().views().clockAhead());
    }

    @Override
    public Stream<Change> changes(long commitId) {
        View view = view();
        return shared.chain()
                .find(view.head(), commitId)
                .map(manifest -> new Changes(shared).of(manifest, view))
                .orElseGet(Stream::empty);
    }

    @Override
    public Stream<StoredRow> rows(RowQuery query) {
        return shared.answers().rows(query, view());
    }

    @Override
    public Stream<Identity> identities(RowQuery query) {
        return shared.answers().identities(query, view());
    }

    @Override
    public Explanation explain(RowQuery query) {
        return new Explainer(open()).explain(query, view());
    }

    @Override
    public long count(RowQuery query) {
        return shared.answers().count(query, view());
    }

    @Override
    public long rowsOfOtherVersions(TypeRef type, long version) {
        return shared.answers().mayHaveOtherVersions(type, version, view())
                ? Storage.super.rowsOfOtherVersions(type, version)
                : 0;
    }

    @Override
    public List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        return shared.answers().aggregate(query, view());
    }

    @Override
    public List<Finding> check(Progress progress) {
        List<Finding> findings = new ArrayList<>(new Check(open(), locks()).run(progress));
        boolean broken = findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
        if (!broken && view().registry().hasRetractions()) {
            DanglingRelations.check(this).ifPresent(findings::add);
            findings.sort(Comparator.comparing(Finding::severity));
        }
        return List.copyOf(findings);
    }

    @Override
    public long recordDigests(String runtimeId, Progress progress) {
        SharedStore store = writable();
        return DigestChain.recordMissing(
                this::history,
                progress,
                digests -> store.writer()
                        .alone(runtimeId, options.lockTimeout(), guard -> RecordedDigests.add(store, guard, digests)));
    }

    @Override
    public Optional<Upkeep> upkeep() {
        return Optional.of(new ObjectUpkeep(open(), options.lockTimeout(), this::onCompaction));
    }

    private void onCompaction(LongConsumer listener) {
        compactionListeners.add(listener);
        shared.compactions().tell(listener);
    }

    @Override
    public StoreHistory history() {
        return new PastCommits(open());
    }

    @Override
    public HistoryWriter restore(String source, String runtimeId) {
        return new Restorer(writable(), source, runtimeId, options.lockTimeout());
    }

    @Override
    public StorageInfo info(StorageInfo.Detail detail) {
        return new Info(open(), locks(), backend()).read(detail);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                // A compaction that is under way is finished first, and told.
                onClose.run();
            } finally {
                compactionListeners.forEach(shared.compactions()::forget);
            }
        }
    }
}
