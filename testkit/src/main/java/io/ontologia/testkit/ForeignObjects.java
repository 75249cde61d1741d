package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The specification of the store on objects: its documents with their fields in its order, its write protocol and its way to
 * resolve files, and nothing else. Parquet files are written and read by {@link ForeignParquet}.
 */
public final class ForeignObjects implements ForeignWriter {
    private static final String LOCK = "meta/locks/ontology_write.json";
    private static final String HEAD = "meta/head.json";
    private static final String OWNER = "foreign";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ObjectStore store;
    private final Clock clock;
    private final ForeignParquet parquet;
    private int attempts;

    /**
     * Works on a store.
     *
     * @param folder for files while they are written and read
     */
    public ForeignObjects(ObjectStore store, Clock clock, Path folder) throws Exception {
        this.store = store;
        this.clock = clock;
        this.parquet = new ForeignParquet(store, folder);
    }

    private String now() {
        return UtcTimestamp.format(clock.now());
    }

    private JsonObject read(String key) {
        return JsonObject.parse(key, store.get(key).orElseThrow().bytes());
    }

    private static Payload json(Map<String, @Nullable Object> fields) {
        return Payload.of(CanonicalJson.bytes(fields));
    }

    private static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return fields;
    }

    @Override
    public Optional<Long> commit(Map<String, String> names, Map<String, Long> numbers) throws Exception {
        if (!acquireLock()) {
            return Optional.empty();
        }
        StoredObject stored = store.get(HEAD).orElseThrow();
        JsonObject head = JsonObject.parse(HEAD, stored.bytes());
        long id = head.integer("commit_id") + 1;
        String attempt = "commits/" + id + "-%08x".formatted(++attempts + 0xf0000000L);
        List<Object> files = new ArrayList<>();
        Map<String, String> touched = new LinkedHashMap<>();
        if (!names.isEmpty()) {
            String path = attempt + "/entities/Customer.parquet";
            byte[] bytes = parquet.customers(id, names);
            store.put(path, Payload.of(bytes));
            files.add(file("entity", "Customer", path, names.size(), bytes));
            touched.put("Customer", path);
        }
        if (!numbers.isEmpty()) {
            String path = attempt + "/relations/Knows.parquet";
            byte[] bytes = parquet.knows(id, numbers);
            store.put(path, Payload.of(bytes));
            files.add(file("relation", "Knows", path, numbers.size(), bytes));
            touched.put("Knows", path);
        }
        boolean first = id == 1;
        String parent = first ? null : head.text("manifest_path");
        String manifest = attempt + "/manifest.json";
        store.put(
                manifest,
                json(fields(
                        "commit_id",
                        id,
                        "parent_commit_id",
                        first ? null : (Object) (id - 1),
                        "parent_manifest_path",
                        parent,
                        "created_at",
                        now(),
                        "runtime_id",
                        OWNER,
                        "metadata",
                        Map.of("by", OWNER),
                        "files",
                        files)));
        PutOutcome swapped = store.putIfMatch(
                HEAD,
                json(fields("commit_id", id, "manifest_path", manifest, "updated_at", now(), "runtime_id", OWNER)),
                stored.etag());
        if (!(swapped instanceof PutOutcome.Written)) {
            throw new IllegalStateException("the head moved under the lock");
        }
        updateIndices(id, parent, touched);
        releaseLock();
        return Optional.of(id);
    }

    private static Map<String, @Nullable Object> file(String kind, String type, String path, int rows, byte[] bytes) {
        return fields(
                "kind",
                kind,
                "type_name",
                type,
                "path",
                path,
                "row_count",
                (long) rows,
                "schema_version_id",
                1L,
                "content_sha256",
                Sha256.hex(bytes));
    }

    private boolean acquireLock() {
        Payload payload = json(fields(
                "owner_id",
                OWNER,
                "acquired_at",
                now(),
                "expires_at",
                UtcTimestamp.format(clock.now().plus(LEASE)),
                "lease_ttl_ms",
                LEASE.toMillis()));
        if (store.putIfAbsent(LOCK, payload) instanceof PutOutcome.Written) {
            return true;
        }
        StoredObject held = store.get(LOCK).orElseThrow();
        boolean expired = !clock.now()
                .isBefore(
                        UtcTimestamp.parse(JsonObject.parse(LOCK, held.bytes()).text("expires_at")));
        return expired && store.putIfMatch(LOCK, payload, held.etag()) instanceof PutOutcome.Written;
    }

    private void releaseLock() {
        StoredObject held = store.get(LOCK).orElseThrow();
        if (JsonObject.parse(LOCK, held.bytes()).text("owner_id").equals(OWNER)) {
            store.deleteIfMatch(LOCK, held.etag());
        }
    }

    /** Section 7.1: every known type, with what is missing taken from the manifests. */
    private void updateIndices(long id, @Nullable String parent, Map<String, String> touched) {
        JsonObject types = read("meta/schema/types.json");
        for (String list : List.of("entities", "relations")) {
            for (Object name : (List<?>) Objects.requireNonNull(types.fields().get(list))) {
                String type = String.valueOf(name);
                Index index = index(list, type);
                if (index.upTo < id - 1) {
                    addFromManifests(index, parent, list, type, index.upTo);
                }
                if (touched.containsKey(type)) {
                    index.entries.removeIf(entry -> entry.min == id && entry.max == id);
                    index.entries.add(new Entry(id, id, touched.getOrDefault(type, "")));
                }
                List<Object> entries = new ArrayList<>();
                index.entries.forEach(entry -> entries.add(
                        fields("min_commit_id", entry.min, "max_commit_id", entry.max, "path", entry.path)));
                store.put(
                        "meta/indices/" + list + "/" + type + ".json",
                        json(fields("type_name", type, "max_indexed_commit", id, "entries", entries)));
            }
        }
    }

    private record Entry(long min, long max, String path) {
        boolean covers(long commitId) {
            return min <= commitId && commitId <= max;
        }
    }

    private static final class Index {
        long upTo;
        final List<Entry> entries = new ArrayList<>();
    }

    private Index index(String list, String type) {
        Index index = new Index();
        String key = "meta/indices/" + list + "/" + type + ".json";
        store.get(key).map(object -> JsonObject.parse(key, object.bytes())).ifPresent(json -> {
            index.upTo = json.integer("max_indexed_commit");
            for (Object entry : (List<?>) Objects.requireNonNull(json.fields().get("entries"))) {
                JsonObject one = JsonObject.of(key, entry);
                index.entries.add(
                        new Entry(one.integer("min_commit_id"), one.integer("max_commit_id"), one.text("path")));
            }
        });
        return index;
    }

    private void addFromManifests(Index index, @Nullable String newest, String list, String type, long covered) {
        String path = newest;
        while (path != null) {
            JsonObject manifest = read(path);
            long id = manifest.integer("commit_id");
            if (id <= covered) {
                return;
            }
            fileOf(manifest, list, type)
                    .filter(file -> index.entries.stream().noneMatch(entry -> entry.covers(id)))
                    .ifPresent(file -> index.entries.add(new Entry(id, id, file)));
            path = manifest.optionalText("parent_manifest_path").orElse(null);
        }
    }

    private static Optional<String> fileOf(JsonObject manifest, String list, String type) {
        for (Object file : (List<?>) Objects.requireNonNull(manifest.fields().get("files"))) {
            JsonObject one = JsonObject.of("files", file);
            if (one.text("kind").equals(list.equals("entities") ? "entity" : "relation")
                    && one.text("type_name").equals(type)) {
                return Optional.of(one.text("path"));
            }
        }
        return Optional.empty();
    }

    /** Section 8.2: the index as far as it is right, and the manifests after it. */
    private List<String> files(String list, String type, long upTo) {
        JsonObject head = read(HEAD);
        long newest = head.integer("commit_id");
        if (newest == 0) {
            return List.of();
        }
        Index index = index(list, type);
        String newestPath = head.text("manifest_path");
        if (upTo == newest) {
            Optional<String> written = fileOf(read(newestPath), list, type);
            if (written.isPresent()
                    && index.entries.stream()
                            .noneMatch(entry -> entry.min == upTo && entry.path.equals(written.get()))) {
                index.entries.removeIf(entry -> entry.min == upTo);
                index.upTo = Math.min(index.upTo, upTo - 1);
            }
        }
        addFromManifests(index, newestPath, list, type, Math.min(index.upTo, upTo));
        return index.entries.stream()
                .filter(entry -> entry.min <= upTo)
                .map(Entry::path)
                .distinct()
                .toList();
    }

    @Override
    public long head() {
        return read(HEAD).integer("commit_id");
    }

    @Override
    public Map<String, String> names(long commitId) throws Exception {
        return parquet.names(files("entities", "Customer", commitId), commitId);
    }

    @Override
    public Map<String, Long> numbers() throws Exception {
        return parquet.numbers(files("relations", "Knows", head()));
    }

    @Override
    public List<String> history() throws Exception {
        return parquet.history(files("entities", "Customer", head()));
    }

    @Override
    public void enqueue(String namespace, String id, String type) {
        store.putIfAbsent(
                "events/" + namespace + "/" + now().replace(':', '-') + "_" + id + ".json",
                json(fields(
                        "id",
                        id,
                        "namespace",
                        namespace,
                        "type",
                        type,
                        "payload",
                        Map.of("by", OWNER),
                        "created_at",
                        now(),
                        "priority",
                        100L,
                        "root_event_id",
                        id,
                        "chain_depth",
                        0L)));
    }

    private List<JsonObject> all(String prefix) {
        List<JsonObject> found = new ArrayList<>();
        for (ObjectSummary object : store.list(ListRequest.of(prefix)).objects()) {
            found.add(read(object.key()));
        }
        return found;
    }

    private List<JsonObject> sortedEvents(String namespace) {
        return all("events/" + namespace + "/").stream()
                .sorted(Comparator.comparing((JsonObject event) -> -event.integer("priority"))
                        .thenComparing(event -> event.text("created_at"))
                        .thenComparing(event -> event.text("id")))
                .toList();
    }

    private static String claimKey(String namespace, String eventId, String handlerId) {
        return "claims/" + namespace + "/" + eventId + "/" + handlerId + ".json";
    }

    @Override
    public Optional<String> claim(String namespace, String handlerId, String type) {
        for (JsonObject event : sortedEvents(namespace)) {
            String id = event.text("id");
            if (event.text("type").equals(type) && take(namespace, id, handlerId)) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    private boolean take(String namespace, String id, String handlerId) {
        String key = claimKey(namespace, id, handlerId);
        Optional<StoredObject> before = store.get(key);
        if (before.isEmpty()) {
            return store.putIfAbsent(key, claim(id, handlerId, null, 0, now())) instanceof PutOutcome.Written;
        }
        JsonObject claim = JsonObject.parse(key, before.get().bytes());
        boolean free = claim.optionalText("ack_at").isEmpty()
                && claim.optionalText("dead_lettered_at").isEmpty()
                && claim.text("lease_until").compareTo(now()) <= 0
                && claim.text("available_at").compareTo(now()) <= 0;
        ETag etag = before.get().etag();
        return free
                && store.putIfMatch(
                                key,
                                claim(id, handlerId, null, claim.integer("attempts"), claim.text("available_at")),
                                etag)
                        instanceof PutOutcome.Written;
    }

    private Payload claim(String id, String handlerId, @Nullable String ackAt, long attemptCount, String availableAt) {
        return json(fields(
                "event_id",
                id,
                "handler_id",
                handlerId,
                "session_id",
                OWNER,
                "claimed_at",
                now(),
                "lease_until",
                UtcTimestamp.format(clock.now().plus(LEASE)),
                "ack_at",
                ackAt,
                "attempts",
                attemptCount,
                "available_at",
                availableAt,
                "last_error",
                null,
                "dead_lettered_at",
                null));
    }

    @Override
    public void ack(String namespace, String handlerId, String eventId) {
        String key = claimKey(namespace, eventId, handlerId);
        StoredObject held = store.get(key).orElseThrow();
        Map<String, @Nullable Object> acked =
                new LinkedHashMap<>(JsonObject.parse(key, held.bytes()).fields());
        acked.put("ack_at", now());
        store.putIfMatch(key, json(acked), held.etag());
    }

    @Override
    public List<String> events(String namespace) {
        Map<String, String> status = new TreeMap<>();
        for (JsonObject claim : all("claims/" + namespace + "/")) {
            status.put(
                    claim.text("event_id"),
                    claim.optionalText("dead_lettered_at").isPresent()
                            ? "dead_lettered"
                            : claim.optionalText("ack_at").isPresent()
                                    ? "acked"
                                    : claim.text("lease_until").compareTo(now()) > 0 ? "claimed" : "pending");
        }
        return sortedEvents(namespace).stream()
                .map(event -> event.text("id") + " " + status.getOrDefault(event.text("id"), "pending"))
                .toList();
    }

    @Override
    public void close() throws SQLException {
        parquet.close();
    }
}
