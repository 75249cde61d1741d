package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The JSON objects of a store as another program reads and writes them. */
final class ForeignDocuments {
    final ObjectStore store;
    private final Clock clock;

    ForeignDocuments(ObjectStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** A document with the version of the object that it was read from. */
    record Versioned(JsonObject json, ETag etag) {}

    String now() {
        return UtcTimestamp.format(clock.now());
    }

    String in(Duration time) {
        return UtcTimestamp.format(clock.now().plus(time));
    }

    JsonObject read(String key) {
        return find(key).orElseThrow().json();
    }

    Optional<Versioned> find(String key) {
        Optional<StoredObject> object = store.get(key);
        return object.map(found -> new Versioned(JsonObject.parse(key, found.bytes()), found.etag()));
    }

    List<String> keys(String prefix) {
        List<String> found = new ArrayList<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = store.list(request);
            page.objects().stream().map(ObjectSummary::key).forEach(found::add);
            if (page.next().isEmpty()) {
                return found;
            }
            request = request.continueAt(page.next().get());
        }
    }

    List<JsonObject> all(String prefix) {
        return keys(prefix).stream().map(this::read).toList();
    }

    void put(String key, Map<String, @Nullable Object> fields) {
        store.put(key, payload(fields));
    }

    boolean putIfAbsent(String key, Map<String, @Nullable Object> fields) {
        return store.putIfAbsent(key, payload(fields)) instanceof PutOutcome.Written;
    }

    boolean putIfMatch(String key, Map<String, @Nullable Object> fields, ETag etag) {
        return store.putIfMatch(key, payload(fields), etag) instanceof PutOutcome.Written;
    }

    private static Payload payload(Map<String, @Nullable Object> fields) {
        return Payload.of(ForeignJson.text(fields));
    }
}
