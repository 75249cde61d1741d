package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * A store whose objects are read into memory only up to a size that depends on their key. A larger object is an error of kind
 * {@link ErrorKind#CORRUPT}, and no byte of it is read; to write a larger one is {@link ErrorKind#INVALID_INPUT}. Everything else is
 * as in the store behind it, which this one closes.
 */
public class BoundedObjectStore implements ObjectStore {
    private final ObjectStore store;
    private final ToLongFunction<String> mostBytes;

    private BoundedObjectStore(ObjectStore store, ToLongFunction<String> mostBytes) {
        this.store = store;
        this.mostBytes = mostBytes;
    }

    /** A store with limits. It has {@link LocalFiles} when the other one has. */
    public static ObjectStore around(ObjectStore store, ToLongFunction<String> mostBytes) {
        return store instanceof LocalFiles files
                ? new OnFiles(store, files, mostBytes)
                : new BoundedObjectStore(store, mostBytes);
    }

    private static final class OnFiles extends BoundedObjectStore implements LocalFiles {
        private final LocalFiles files;

        OnFiles(ObjectStore store, LocalFiles files, ToLongFunction<String> mostBytes) {
            super(store, mostBytes);
            this.files = files;
        }

        @Override
        public Path folder() {
            return files.folder();
        }

        @Override
        public Optional<Path> localPath(String key) {
            return files.localPath(key);
        }
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        return store.get(key, options.most(mostBytes.applyAsLong(key)));
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        return store.download(key, target);
    }

    /** What could not be read again is not written. */
    private Payload within(String key, Payload payload) {
        long most = mostBytes.applyAsLong(key);
        if (payload.length() > most) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot write '" + key + "'",
                    "it has " + payload.length() + " bytes, and an object of this kind has at most " + most,
                    "write less at once");
        }
        return payload;
    }

    @Override
    public ETag put(String key, Payload payload) {
        return store.put(key, within(key, payload));
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        return store.putIfAbsent(key, within(key, payload));
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return store.putIfMatch(key, within(key, payload), expected);
    }

    @Override
    public void delete(String key) {
        store.delete(key);
    }

    @Override
    public DeleteOutcome deleteIfMatch(String key, ETag expected) {
        return store.deleteIfMatch(key, expected);
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        return store.deleteAll(keys);
    }

    @Override
    public ListPage list(ListRequest request) {
        return store.list(request);
    }

    @Override
    public void close() {
        store.close();
    }
}
