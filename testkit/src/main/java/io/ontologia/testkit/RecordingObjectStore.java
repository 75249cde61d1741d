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
import io.ontologia.objectstore.StoredObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes down every change that took effect in a store, in the order in which it did. It stands for the server in tests
 * that compare what clients were told with what really happened. One lock, so that the order is the true one.
 */
public final class RecordingObjectStore implements ObjectStore {
    private final ObjectStore target;
    private final List<Change> changes = new ArrayList<>();

    /** A change that took effect. */
    public sealed interface Change {
        /** The object that changed. */
        String key();

        /** The version that came to be, or that was removed. */
        ETag etag();
    }

    /** An object was created or replaced. */
    public record Stored(String key, ETag etag, String text) implements Change {}

    /** An object was removed. */
    public record Removed(String key, ETag etag) implements Change {}

    public RecordingObjectStore(ObjectStore target) {
        this.target = target;
    }

    /** Every change so far. */
    public synchronized List<Change> changes() {
        return List.copyOf(changes);
    }

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public synchronized GetOutcome get(String key, GetOptions options) {
        return target.get(key, options);
    }

    @Override
    public synchronized Optional<ObjectSummary> download(String key, Path file) {
        return target.download(key, file);
    }

    @Override
    public synchronized ETag put(String key, Payload payload) {
        return stored(key, target.put(key, payload));
    }

    @Override
    public synchronized PutOutcome putIfAbsent(String key, Payload payload) {
        return recorded(key, target.putIfAbsent(key, payload));
    }

    @Override
    public synchronized PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return recorded(key, target.putIfMatch(key, payload, expected));
    }

    @Override
    public synchronized void delete(String key) {
        Optional<StoredObject> before = target.get(key);
        target.delete(key);
        before.ifPresent(object -> changes.add(new Removed(key, object.etag())));
    }

    @Override
    public synchronized DeleteOutcome deleteIfMatch(String key, ETag expected) {
        DeleteOutcome outcome = target.deleteIfMatch(key, expected);
        if (outcome instanceof DeleteOutcome.Deleted) {
            changes.add(new Removed(key, expected));
        }
        return outcome;
    }

    @Override
    public synchronized Map<String, String> deleteAll(Collection<String> keys) {
        keys.forEach(this::delete);
        return Map.of();
    }

    @Override
    public synchronized ListPage list(ListRequest request) {
        return target.list(request);
    }

    @Override
    public void close() {
        target.close();
    }

    private PutOutcome recorded(String key, PutOutcome outcome) {
        if (outcome instanceof PutOutcome.Written written) {
            stored(key, written.etag());
        }
        return outcome;
    }

    private ETag stored(String key, ETag etag) {
        changes.add(new Stored(key, etag, target.get(key).orElseThrow().text()));
        return etag;
    }
}
