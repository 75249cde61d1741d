package io.ontologia.testkit;

import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store that passes every operation on to another one, through {@link #around}, where a subclass does what it is for.
 * Closing it closes the other one.
 */
public abstract class ForwardingObjectStore implements ObjectStore {
    private final ObjectStore target;

    protected ForwardingObjectStore(ObjectStore target) {
        this.target = target;
    }

    /** The store that operations are passed on to. */
    protected final ObjectStore target() {
        return target;
    }

    /** Does one operation; the request does it on the {@link #target}, each time it is called. */
    protected abstract <T> T around(StoreOperation operation, Supplier<T> request);

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        return around(StoreOperation.GET, () -> target.get(key, options));
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path file) {
        return around(StoreOperation.DOWNLOAD, () -> target.download(key, file));
    }

    @Override
    public ETag put(String key, Payload payload) {
        return around(StoreOperation.PUT, () -> target.put(key, payload));
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        return around(StoreOperation.PUT_IF_ABSENT, () -> target.putIfAbsent(key, payload));
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return around(StoreOperation.PUT_IF_MATCH, () -> target.putIfMatch(key, payload, expected));
    }

    @Override
    public void delete(String key) {
        around(StoreOperation.DELETE, () -> {
            target.delete(key);
            return key;
        });
    }

    @Override
    public DeleteOutcome deleteIfMatch(String key, ETag expected) {
        return around(StoreOperation.DELETE_IF_MATCH, () -> target.deleteIfMatch(key, expected));
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        return around(StoreOperation.DELETE_ALL, () -> target.deleteAll(keys));
    }

    @Override
    public ListPage list(ListRequest request) {
        return around(StoreOperation.LIST, () -> target.list(request));
    }

    @Override
    public void close() {
        target.close();
    }
}
