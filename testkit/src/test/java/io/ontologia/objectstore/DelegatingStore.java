package io.ontologia.objectstore;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Passes everything on; tests override what is to go wrong. */
class DelegatingStore implements ObjectStore {
    private final ObjectStore store;

    DelegatingStore(ObjectStore store) {
        this.store = store;
    }

    @Override
    public String location() {
        return store.location();
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        return store.get(key, options);
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        return store.download(key, target);
    }

    @Override
    public ETag put(String key, Payload payload) {
        return store.put(key, payload);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        return store.putIfAbsent(key, payload);
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return store.putIfMatch(key, payload, expected);
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
