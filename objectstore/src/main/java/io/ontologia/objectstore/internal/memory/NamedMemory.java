package io.ontologia.objectstore.internal.memory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
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
import java.util.concurrent.ConcurrentHashMap;

/** A store in memory that everybody in this process finds by its name, and that lasts as long as the process. */
public final class NamedMemory implements ObjectStore {
    private static final Map<String, MemoryObjectStore> BY_NAME = new ConcurrentHashMap<>();

    private final String name;
    private final MemoryObjectStore shared;
    private volatile boolean closed;

    public NamedMemory(String name, Clock clock) {
        this.name = name;
        this.shared = BY_NAME.computeIfAbsent(name, unused -> new MemoryObjectStore(clock));
    }

    @Override
    public String location() {
        return "memory:" + name;
    }

    private MemoryObjectStore open() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use " + location(), "it was closed", "open it again");
        }
        return shared;
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        return open().get(key, options);
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        return open().download(key, target);
    }

    @Override
    public ETag put(String key, Payload payload) {
        return open().put(key, payload);
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        return open().putIfAbsent(key, payload);
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return open().putIfMatch(key, payload, expected);
    }

    @Override
    public void delete(String key) {
        open().delete(key);
    }

    @Override
    public DeleteOutcome deleteIfMatch(String key, ETag expected) {
        return open().deleteIfMatch(key, expected);
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        return open().deleteAll(keys);
    }

    @Override
    public ListPage list(ListRequest request) {
        return open().list(request);
    }

    @Override
    public void close() {
        closed = true;
    }
}
