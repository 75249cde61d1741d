package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.engine.CacheFolder;
import io.ontologia.store.object.internal.engine.Engine;
import io.ontologia.store.object.internal.engine.RowBatch;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Writes the objects of commits that are not visible yet: data files first to this machine, then all in parallel. */
final class Upload implements AutoCloseable {
    private static final int TRIES = 2;

    private final ObjectStore store;
    private final Engine engine;
    private final ExecutorService threads;
    private final Path folder;
    private final List<Prepared> objects = new ArrayList<>();

    private record Prepared(String key, Payload payload) {}

    Upload(ObjectStore store, Engine engine, ExecutorService threads, Path parent) {
        this.store = store;
        this.engine = engine;
        this.threads = threads;
        try {
            CacheFolder.ensure(parent);
            this.folder = FileModes.createTempDirectory(parent, "commit");
        } catch (IOException e) {
            throw CacheFolder.unusable(parent, e);
        }
    }

    /**
     * The rows of one type in one commit.
     *
     * @param attempt the folder of the commit
     */
    record Data(String attempt, long schemaVersion, long commitId, RowBatch rows) {}

    /** Adds a data file. */
    Manifest.File add(Data data) {
        return addAll(List.of(data)).get(0);
    }

    /** Adds data files, and returns their descriptions in the same order. */
    List<Manifest.File> addAll(List<Data> all) {
        List<Future<Manifest.File>> writing = new ArrayList<>();
        for (Data data : all) {
            Path file = folder.resolve(objects.size() + ".parquet");
            String key = Keys.data(data.attempt(), data.rows().type());
            objects.add(new Prepared(key, Payload.of(file)));
            writing.add(threads.submit(() -> write(file, key, data)));
        }
        Threads.join(writing);
        return writing.stream().map(Threads::done).toList();
    }

    private Manifest.File write(Path file, String key, Data data) {
        RowBatch rows = data.rows();
        engine.write(file, data.schemaVersion(), data.commitId(), rows);
        return new Manifest.File(
                rows.type(),
                key,
                rows.size(),
                data.schemaVersion(),
                Optional.of(Sha256.hex(file)),
                rows.digest(data.commitId(), data.schemaVersion()).sha256());
    }

    /** Adds a manifest. */
    void add(Manifest manifest) {
        objects.add(new Prepared(manifest.path(), Payload.of(manifest.bytes())));
    }

    /** Sends everything, and returns when all of it is stored. */
    void send() {
        List<Future<?>> sending = new ArrayList<>();
        for (Prepared object : objects) {
            sending.add(threads.submit(() -> put(object)));
        }
        Threads.join(sending);
    }

    /** Each key is used by one attempt only, so sending an object once more does no harm. */
    private void put(Prepared object) {
        for (int i = 1; ; i++) {
            try {
                store.put(object.key(), object.payload());
                return;
            } catch (OntologiaException e) {
                boolean isPassing = e.kind() == ErrorKind.UNKNOWN_OUTCOME || e.kind() == ErrorKind.UNAVAILABLE;
                if (!isPassing || i == TRIES) {
                    throw NotCommitted.because(e);
                }
            }
        }
    }

    /** Removes what was sent. Only when it is certain that no head will ever point to it. Best effort. */
    void undo() {
        try {
            store.deleteAll(objects.stream().map(Prepared::key).toList());
        } catch (OntologiaException e) {
            // They are orphans now, and the clean-up finds them.
        }
    }

    @Override
    public void close() {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // In a folder for temporary files, and of no use to anybody.
        }
    }
}
