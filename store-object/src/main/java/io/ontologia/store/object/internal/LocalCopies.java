package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.CachedObject;
import io.ontologia.objectstore.Expected;
import io.ontologia.objectstore.LocalFiles;
import io.ontologia.objectstore.ObjectCache;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.engine.DataFile;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Data files on this machine: in place where the store is a folder here, otherwise fetched once and cached. */
final class LocalCopies {
    private final ObjectStore store;
    private final ObjectCache cache;
    private final ExecutorService threads;
    private final LongAdder fetched = new LongAdder();
    private final Set<String> verified = ConcurrentHashMap.newKeySet();

    LocalCopies(ObjectStore store, ObjectCache cache, ExecutorService threads) {
        this.store = store;
        this.cache = cache;
        this.threads = threads;
    }

    /** How many bytes were fetched so far. */
    long bytesFetched() {
        return fetched.sum();
    }

    /** Files that stay where they are until this is closed. */
    record Opened(List<DataFile> files, List<CachedObject> handles) implements AutoCloseable {
        @Override
        public void close() {
            handles.forEach(CachedObject::close);
        }
    }

    /** Makes files available, fetching what is missing in parallel. */
    Opened open(List<TypeIndex.Entry> entries) {
        if (store instanceof LocalFiles local) {
            verify(local, entries);
            return new Opened(
                    entries.stream()
                            .map(entry ->
                                    file(entry, local.localPath(entry.path()).orElseThrow(() -> missing(entry.path()))))
                            .toList(),
                    List.of());
        }
        List<Future<CachedObject>> fetching = new ArrayList<>();
        for (TypeIndex.Entry entry : entries) {
            Expected expected = entry.sha256().map(Expected.anything()::sha256).orElse(Expected.anything());
            fetching.add(threads.submit(() -> cache.open(store, entry.path(), expected)));
        }
        List<CachedObject> handles = new ArrayList<>();
        try {
            Threads.join(fetching);
        } finally {
            fetching.forEach(one -> arrived(one).ifPresent(handles::add));
            handles.stream()
                    .filter(one -> one.origin() == CachedObject.Origin.STORE)
                    .forEach(one -> fetched.add(one.length()));
            if (handles.size() < entries.size()) {
                handles.forEach(CachedObject::close);
            }
        }
        List<DataFile> files = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            files.add(file(entries.get(i), handles.get(i).path()));
        }
        return new Opened(files, handles);
    }

    private static DataFile file(TypeIndex.Entry entry, Path path) {
        DataFile any = new DataFile(path, entry.minCommitId(), entry.maxCommitId());
        // Other programs do not note hashes.
        DataFile whole = entry.sha256().isPresent() ? any.ours() : any;
        return entry.extent() == TypeIndex.Extent.WHOLE ? whole : whole.part(entry.minCommitId(), entry.maxCommitId());
    }

    /** Compares files that are used in place with their hashes, each when this process first reads it. */
    private void verify(LocalFiles local, List<TypeIndex.Entry> entries) {
        List<Future<?>> hashing = new ArrayList<>();
        for (TypeIndex.Entry entry : entries) {
            if (entry.sha256().isPresent() && !verified.contains(entry.path())) {
                Path path = local.localPath(entry.path()).orElseThrow(() -> missing(entry.path()));
                hashing.add(threads.submit(() -> verify(entry, path)));
            }
        }
        Threads.join(hashing);
    }

    private void verify(TypeIndex.Entry entry, Path path) {
        String found;
        try {
            found = Sha256.hex(path);
        } catch (UncheckedIOException e) {
            throw missing(entry.path());
        }
        if (!found.equals(entry.sha256().orElse(""))) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "'" + entry.path() + "' is damaged",
                    "its content does not have the hash that was written with its commit",
                    "restore it from a backup; 'onto fsck' tells what else is damaged");
        }
        verified.add(entry.path());
    }

    /** Makes the files of a type available. What was known of them may be from before others took their place. */
    Opened open(FileResolver resolver, TypeRef type, View view, long after, long upTo) {
        try {
            return open(resolver.files(type, view, after, upTo));
        } catch (OntologiaException e) {
            if (!isGone(e)) {
                throw e;
            }
            resolver.forget(type);
        }
        try {
            return open(resolver.files(type, view, after, upTo));
        } catch (OntologiaException e) {
            if (!isGone(e)) {
                throw e;
            }
            // The index itself names what is gone: it is older than the files that are there.
            resolver.distrust(type, view.head());
            return open(resolver.files(type, view, after, upTo));
        }
    }

    /** Removes local copies of objects that are not read any more. */
    void forget(List<String> paths) {
        if (!(store instanceof LocalFiles)) {
            paths.forEach(path -> cache.remove(store, path));
        }
    }

    /** Whether an error says that an object is not there, or not what it was. */
    static boolean isGone(OntologiaException e) {
        return e.kind() == ErrorKind.CORRUPT || e.kind() == ErrorKind.NOT_FOUND;
    }

    private static Optional<CachedObject> arrived(Future<CachedObject> fetched) {
        try {
            return Optional.of(fetched.get());
        } catch (ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private OntologiaException missing(String path) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot read '" + path + "'",
                "there is no such object in " + store.location() + ", although a commit names it",
                "restore it from a backup; 'onto fsck' tells what else is missing");
    }
}
