package io.ontologia.objectstore.internal.memory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectKey;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.objectstore.internal.SortedListing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Objects in the memory of this process, gone with it. One lock, so every operation is atomic. */
public final class MemoryObjectStore implements ObjectStore {
    private final Clock clock;
    private final TreeMap<String, StoredObject> objects = new TreeMap<>(CodePointOrder.INSTANCE);
    private long generation;
    private boolean closed;

    public MemoryObjectStore(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String location() {
        return "memory:";
    }

    @Override
    public synchronized GetOutcome get(String key, GetOptions options) {
        StoredObject object = find(key);
        if (object == null) {
            return new GetOutcome.Missing();
        }
        if (options.ifNoneMatch().filter(object.etag()::equals).isPresent()) {
            return new GetOutcome.NotModified();
        }
        if (options.range().isEmpty()) {
            options.requireAtMost(key, object.size());
        }
        byte[] bytes = object.bytes().clone();
        if (options.range().isPresent()) {
            var range = options.range().get();
            range.requireWithin(key, bytes.length);
            bytes = Arrays.copyOfRange(bytes, (int) range.first(bytes.length), (int) range.end(bytes.length));
            options.requireAtMost(key, bytes.length);
        }
        return new GetOutcome.Found(
                new StoredObject(bytes, object.etag(), object.size(), object.lastModified(), clock.now()));
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        Optional<StoredObject> object = get(key);
        if (object.isEmpty()) {
            return Optional.empty();
        }
        try {
            FileModes.PRIVATE.write(target, object.get().bytes());
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE, "cannot write " + target, e.toString(), "check folder and free space", e);
        }
        return Optional.of(
                new ObjectSummary(key, object.get().size(), object.get().lastModified()));
    }

    @Override
    public ETag put(String key, Payload payload) {
        byte[] bytes = bytesOf(payload);
        synchronized (this) {
            find(key);
            return store(key, bytes);
        }
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        byte[] bytes = bytesOf(payload);
        synchronized (this) {
            return find(key) == null ? new PutOutcome.Written(store(key, bytes)) : new PutOutcome.Refused();
        }
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        byte[] bytes = bytesOf(payload);
        synchronized (this) {
            StoredObject current = find(key);
            return current != null && current.etag().equals(expected)
                    ? new PutOutcome.Written(store(key, bytes))
                    : new PutOutcome.Refused();
        }
    }

    @Override
    public synchronized void delete(String key) {
        find(key);
        objects.remove(key);
    }

    @Override
    public synchronized DeleteOutcome deleteIfMatch(String key, ETag expected) {
        StoredObject current = find(key);
        if (current == null || !current.etag().equals(expected)) {
            return new DeleteOutcome.Refused();
        }
        objects.remove(key);
        return new DeleteOutcome.Deleted();
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        keys.forEach(ObjectKey::require);
        keys.forEach(this::delete);
        return Map.of();
    }

    @Override
    public synchronized ListPage list(ListRequest request) {
        requireOpen();
        String from = SortedListing.lowerBound(request)
                .filter(bound -> CodePointOrder.INSTANCE.compare(bound, request.prefix()) > 0)
                .orElse(request.prefix());
        return SortedListing.page(
                request,
                objects.tailMap(from, true).entrySet().stream()
                        .takeWhile(e -> e.getKey().startsWith(request.prefix()))
                        .map(e -> new ObjectSummary(
                                e.getKey(), e.getValue().size(), e.getValue().lastModified()))
                        .iterator());
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private @Nullable StoredObject find(String key) {
        requireOpen();
        return objects.get(ObjectKey.require(key));
    }

    private ETag store(String key, byte[] bytes) {
        ETag etag = new ETag(Long.toString(++generation));
        var now = clock.now().truncatedTo(ChronoUnit.MICROS);
        objects.put(key, new StoredObject(bytes, etag, bytes.length, now, now));
        return etag;
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the store memory:", "it was closed", "open it again");
        }
    }

    private static byte[] bytesOf(Payload payload) {
        try (InputStream in = payload.open()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
