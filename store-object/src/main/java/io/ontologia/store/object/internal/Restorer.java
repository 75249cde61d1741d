package io.ontologia.store.object.internal;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.engine.RowBatch;
import io.ontologia.store.object.internal.layout.ErasureDocument;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.Registry;
import io.ontologia.store.object.internal.layout.RestoreMarker;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Fills an empty store. Commits go up under the names that they always get when they come from the same source, so that an
 * interrupted copy is simply begun again; the head decides in the end about all of them and their schemas.
 */
final class Restorer implements HistoryWriter {
    private static final int OBJECTS_AT_ONCE = 64;

    private final Map<TypeRef, Map<Long, List<ErasedRow>>> erased = new HashMap<>();
    private final SharedStore shared;
    private final String source;
    private final String runtimeId;
    private final Duration lockTimeout;
    private final Map<TypeRef, TypeHistory> types = new LinkedHashMap<>();
    private final Map<TypeRef, Map<Long, OntologyType>> described = new HashMap<>();
    private final Map<TypeRef, List<TypeIndex.Entry>> entries = new HashMap<>();
    private final BusObjects bus;
    private Upload upload;
    private int waiting;
    private boolean retracts;
    private Head head;
    private Optional<Manifest> newest = Optional.empty();

    /** Begins; the store must be empty. */
    Restorer(SharedStore shared, String source, String runtimeId, Duration lockTimeout) {
        this.shared = shared;
        this.source = source;
        this.runtimeId = runtimeId;
        this.lockTimeout = lockTimeout;
        this.head = requireEmpty().head();
        requireRoom();
        this.upload = shared.upload();
        this.bus = shared.bus();
    }

    private View requireEmpty() {
        View view = shared.views().fresh();
        Registry registry = view.registry();
        if (view.head().commitId() > 0
                || !registry.types().isEmpty()
                || !registry.retired().isEmpty()
                || registry.pending().isPresent()) {
            throw occupied("it holds types or commits already, of another store or of a copy that was finished");
        }
        return view;
    }

    /** Only objects of this same copy may be there. */
    private void requireRoom() {
        Optional<RestoreMarker> marker =
                shared.store().get(Keys.RESTORE).map(StoredObject::bytes).map(RestoreMarker::parse);
        if (marker.isEmpty()) {
            for (String prefix : List.of(Keys.COMMITS, Keys.SNAPSHOTS)) {
                if (!shared.store()
                        .list(ListRequest.of(prefix).pageSize(1))
                        .objects()
                        .isEmpty()) {
                    throw occupied("it holds objects already, of another store or of a copy that was finished");
                }
            }
            if (!shared.bus().isEmpty()) {
                throw occupied("it holds events already");
            }
            shared.store()
                    .put(
                            Keys.RESTORE,
                            Payload.of(new RestoreMarker(source, shared.clock().now()).bytes()));
        } else if (!marker.get().source().equals(source)) {
            throw occupied("it holds the beginning of a copy of " + marker.get().source());
        } else {
            // The event bus of the source may have changed since the first attempt.
            shared.bus().clear();
        }
    }

    private OntologiaException occupied(String cause) {
        return new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot copy to " + shared.store().location(),
                cause,
                "name an empty place, or empty it with 'onto init --force'");
    }

    @Override
    public void types(List<TypeHistory> all) {
        all.forEach(type -> types.put(type.type(), type));
    }

    @Override
    public void commit(
            CommitInfo commit, List<RowsDigest> purged, List<ErasedRow> erased, Consumer<Consumer<PastRow>> rows) {
        Map<TypeRef, List<PastRow>> byType = new TreeMap<>(Changes.BY_KIND_AND_NAME);
        rows.accept(row ->
                byType.computeIfAbsent(row.type(), unused -> new ArrayList<>()).add(row));
        String folder = Keys.attempt(
                commit.id(),
                Sha256.hex(source + "\n" + commit.id() + "\n" + commit.at()).substring(0, 8));
        List<Manifest.File> files = new ArrayList<>();
        Map<TypeRef, List<ErasedRow>> gone = new TreeMap<>(Changes.BY_KIND_AND_NAME);
        for (ErasedRow row : erased) {
            gone.computeIfAbsent(row.type(), unused -> new ArrayList<>()).add(row);
            byType.computeIfAbsent(row.type(), unused -> new ArrayList<>());
        }
        byType.forEach((type, ofType) ->
                files.add(withErased(write(folder, commit, type, ofType), ofType, gone.getOrDefault(type, List.of()))));
        gone.forEach((type, ofType) ->
                this.erased.computeIfAbsent(type, unused -> new TreeMap<>()).put(commit.id(), ofType));
        Manifest manifest = new Manifest(
                        Keys.manifest(folder),
                        commit.id(),
                        head.commitId(),
                        head.manifestPath(),
                        commit.at(),
                        runtimeId,
                        commit.metadata(),
                        files,
                        List.of(),
                        purged,
                        Optional.empty())
                .onto(head.previousDigest());
        upload.add(manifest);
        files.forEach(file -> entries.computeIfAbsent(file.type(), unused -> new ArrayList<>())
                .add(FileResolver.entry(manifest, file)));
        newest = Optional.of(manifest);
        head = new Head(commit.id(), Optional.of(manifest.path()), commit.at(), runtimeId).with(manifest.digest());
        waiting += 1 + files.size();
        if (waiting >= OBJECTS_AT_ONCE) {
            send();
        }
    }

    /** The manifest says what the commit wrote, and that includes the rows that were erased since. */
    private static Manifest.File withErased(Manifest.File file, List<PastRow> rows, List<ErasedRow> gone) {
        if (gone.isEmpty()) {
            return file;
        }
        RowsDigest.Builder all = RowsDigest.of(file.type());
        rows.forEach(row -> all.add(row.row()));
        gone.forEach(row -> all.addErased(row.sha256()));
        RowsDigest digest = all.build();
        return new Manifest.File(
                file.type(), file.path(), digest.rows(), file.schemaVersion(), file.sha256(), digest.sha256());
    }

    private Manifest.File write(String folder, CommitInfo commit, TypeRef type, List<PastRow> rows) {
        long version = rows.isEmpty()
                ? Optional.ofNullable(types.get(type))
                        .map(known -> known.last().version())
                        .orElse(1L)
                : rows.get(0).row().schemaVersion();
        Set<Object> identities = new HashSet<>();
        List<DesiredRow> wanted = new ArrayList<>(rows.size());
        for (PastRow past : rows) {
            if (past.row().schemaVersion() != version
                    || !identities.add(past.row().identity())) {
                throw unfit(
                        "commit " + commit.id() + " holds " + type + " '"
                                + past.row().identity() + "' twice, or rows of two schema versions",
                        "only a SQLite file can hold that");
            }
            retracts |= past.row().isEnd();
            wanted.add(new DesiredRow(type, past.row().identity(), past.row().fieldsJson()));
        }
        return upload.add(new Upload.Data(folder, version, commit.id(), RowBatch.of(describe(type, version), wanted)));
    }

    private OntologyType describe(TypeRef type, long version) {
        return described
                .computeIfAbsent(type, unused -> new HashMap<>())
                .computeIfAbsent(
                        version,
                        wanted -> Optional.ofNullable(types.get(type)).stream()
                                .flatMap(history -> history.versions().stream())
                                .filter(known -> known.version() == wanted)
                                .findFirst()
                                .map(SchemaVersion::describe)
                                .orElseThrow(() -> unfit(
                                        "there are rows of version " + wanted + " of " + type
                                                + ", which has no such version",
                                        "run 'onto fsck' on the original")));
    }

    private OntologiaException unfit(String cause, String remedy) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot copy " + source + " to " + shared.store().location(),
                cause,
                remedy);
    }

    private void send() {
        upload.send();
        upload.close();
        upload = shared.upload();
        waiting = 0;
    }

    @Override
    public void bus(BusRecord entry) {
        bus.write(entry);
    }

    @Override
    public void finish() {
        bus.flush();
        send();
        shared.writer().alone(runtimeId, lockTimeout, guard -> {
            // Of an attempt that broke off a change may still wait; to give it up moves the head.
            shared.catalog().settle(shared.views().current().head());
            View view = requireEmpty();
            guard.confirm(view.head());
            types.values().forEach(type -> shared.catalog().restore(type.type(), type.versions()));
            Registry after = registry(view.registry());
            if (newest.isEmpty()) {
                guard.ensureSafe();
                shared.catalog().change(view.head(), registry -> after);
            } else {
                String path = newest.get().path();
                shared.catalog()
                        .change(
                                view.head(),
                                registry -> registry.waitingFor(new Registry.Pending(head.commitId(), path, after)));
                guard.ensureSafe();
                if (shared.headSwap().swap(view, head, guard.token()).isEmpty()) {
                    shared.views().forget();
                    throw occupied("somebody else wrote to it meanwhile");
                }
            }
            settle();
            return true;
        });
    }

    private Registry registry(Registry empty) {
        Registry all = retracts ? empty.withRetractions() : empty;
        for (TypeHistory type : types.values()) {
            all = type.status() == TypeHistory.Status.KNOWN
                    ? all.with(type.last())
                    : all.without(type.type(), type.last().version());
        }
        for (Map.Entry<TypeRef, Map<Long, List<ErasedRow>>> type : erased.entrySet()) {
            String path = Keys.erasure(type.getKey(), head.commitId(), RandomIds.hex(shared.random(), 8));
            shared.store()
                    .put(
                            path,
                            Payload.of(new ErasureDocument(path, type.getKey(), Optional.empty(), type.getValue())
                                    .bytes()));
            all = all.erased(type.getKey(), path);
        }
        return all;
    }

    /** Everything is there; what is left to do others would do as well. */
    private void settle() {
        newest.ifPresent(shared.chain()::remember);
        shared.views().forget();
        try {
            shared.catalog().publish(shared.catalog().change(head, registry -> registry), head.commitId());
            shared.views().fresh();
            if (head.commitId() > 0) {
                types.values().stream()
                        .filter(type -> type.status() == TypeHistory.Status.KNOWN)
                        .forEach(type -> shared.indices()
                                .install(new TypeIndex(
                                        type.type(),
                                        head.commitId(),
                                        entries.getOrDefault(type.type(), List.of()),
                                        TypeIndex.Anchor.at(head),
                                        Map.of())));
            }
            shared.store().delete(Keys.RESTORE);
        } catch (OntologiaException e) {
            shared.catalog().forget();
        }
    }

    @Override
    public void close() {
        upload.close();
    }
}
