package io.ontologia.testkit;

import static io.ontologia.testkit.ForeignJson.fields;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.ForeignIndices.FileEntry;
import io.ontologia.testkit.ForeignIndices.Index;
import io.ontologia.testkit.ForeignIndices.TypePlace;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The specification of the store on objects: its documents with their fields in its order, its write protocol and its way to
 * resolve and merge files, and nothing else. Parquet files are written and read by {@link ForeignParquet}.
 */
public final class ForeignObjects implements ForeignWriter {
    private static final String LOCK = "meta/locks/ontology_write.json";
    private static final String HEAD = "meta/head.json";
    private static final String OWNER = "foreign";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final TypePlace CUSTOMER = new TypePlace("entities", "Customer");
    private static final TypePlace KNOWS = new TypePlace("relations", "Knows");

    private final ForeignDocuments documents;
    private final Clock clock;
    private final ForeignParquet parquet;
    private final ForeignIndices indices;
    private final ForeignSchemas schemas;
    private int attempts;

    /**
     * Works on a store.
     *
     * @param folder for files while they are written and read
     */
    public ForeignObjects(ObjectStore store, Clock clock, Path folder) throws Exception {
        this.clock = clock;
        this.documents = new ForeignDocuments(store, clock);
        this.parquet = new ForeignParquet(store, folder);
        this.indices = new ForeignIndices(documents);
        this.schemas = new ForeignSchemas(documents);
    }

    /** Rows of one type, to be written to one file. */
    private record Rows(TypePlace type, long version, int count, Payload payload, String sha256) {
        static Rows of(TypePlace type, long version, int count, byte[] bytes) {
            return new Rows(type, version, count, Payload.of(bytes), Sha256.hex(bytes));
        }
    }

    @Override
    public Optional<Long> commit(Map<String, String> names, Map<String, Long> numbers) throws Exception {
        if (!acquireLock()) {
            return Optional.empty();
        }
        long id = head() + 1;
        List<Rows> written = new ArrayList<>();
        if (!names.isEmpty()) {
            long version = schemas.version(CUSTOMER);
            written.add(Rows.of(CUSTOMER, version, names.size(), parquet.customers(id, version, names)));
        }
        if (!numbers.isEmpty()) {
            long version = schemas.version(KNOWS);
            written.add(Rows.of(KNOWS, version, numbers.size(), parquet.knows(id, version, numbers)));
        }
        write(id, written);
        releaseLock();
        return Optional.of(id);
    }

    @Override
    public Optional<Long> define(String type, int version, Map<String, Long> parts) throws Exception {
        if (!acquireLock()) {
            return Optional.empty();
        }
        schemas.define(type, version);
        long id = head() + 1;
        byte[] bytes = parquet.parts(id, type, version, parts);
        write(id, List.of(Rows.of(new TypePlace("entities", type), version, parts.size(), bytes)));
        releaseLock();
        return Optional.of(id);
    }

    /** Steps 2 to 8 of section 5.1. */
    private void write(long id, List<Rows> rows) {
        ForeignDocuments.Versioned head = documents.find(HEAD).orElseThrow();
        String attempt = "commits/" + id + "-%08x".formatted(++attempts + 0xf0000000L);
        List<Object> files = new ArrayList<>();
        Map<TypePlace, String> touched = new LinkedHashMap<>();
        for (Rows some : rows) {
            String path = attempt + "/" + some.type.list() + "/" + some.type.name() + ".parquet";
            documents.store.put(path, some.payload);
            touched.put(some.type, path);
            files.add(fields(
                    "kind",
                    some.type.kind(),
                    "type_name",
                    some.type.name(),
                    "path",
                    path,
                    "row_count",
                    (long) some.count,
                    "schema_version_id",
                    some.version,
                    "content_sha256",
                    some.sha256));
        }
        boolean first = id == 1;
        String parent = first ? null : head.json().text("manifest_path");
        String manifest = attempt + "/manifest.json";
        documents.put(
                manifest,
                fields(
                        "commit_id",
                        id,
                        "parent_commit_id",
                        first ? null : (Object) (id - 1),
                        "parent_manifest_path",
                        parent,
                        "created_at",
                        documents.now(),
                        "runtime_id",
                        OWNER,
                        "metadata",
                        Map.of("by", OWNER),
                        "files",
                        files));
        Map<String, @Nullable Object> next =
                fields("commit_id", id, "manifest_path", manifest, "updated_at", documents.now(), "runtime_id", OWNER);
        if (!documents.putIfMatch(HEAD, next, head.etag())) {
            throw new IllegalStateException("the head moved under the lock");
        }
        indices.update(id, parent, touched);
    }

    private boolean acquireLock() {
        Map<String, @Nullable Object> lock = fields(
                "owner_id",
                OWNER,
                "acquired_at",
                documents.now(),
                "expires_at",
                documents.in(LEASE),
                "lease_ttl_ms",
                LEASE.toMillis());
        if (documents.putIfAbsent(LOCK, lock)) {
            return true;
        }
        ForeignDocuments.Versioned held = documents.find(LOCK).orElseThrow();
        boolean expired = !clock.now().isBefore(UtcTimestamp.parse(held.json().text("expires_at")));
        return expired && documents.putIfMatch(LOCK, lock, held.etag());
    }

    private void releaseLock() {
        ForeignDocuments.Versioned held = documents.find(LOCK).orElseThrow();
        if (held.json().text("owner_id").equals(OWNER)) {
            documents.store.deleteIfMatch(LOCK, held.etag());
        }
    }

    /** Section 9.1: merges the files of single commits of every type that has more than one. */
    @Override
    public boolean compact() throws Exception {
        if (!acquireLock()) {
            return false;
        }
        long head = head();
        for (TypePlace type : indices.types()) {
            Index index = indices.resolve(type, head);
            List<FileEntry> single =
                    index.entries.stream().filter(FileEntry::isOfOneCommit).toList();
            if (single.size() > 1) {
                long min = single.stream().mapToLong(FileEntry::min).min().orElseThrow();
                long max = single.stream().mapToLong(FileEntry::max).max().orElseThrow();
                List<String> merged = index.entries.stream()
                        .filter(entry -> min <= entry.max() && entry.max() <= max)
                        .map(FileEntry::path)
                        .toList();
                String path = "snapshots/" + type.list() + "/" + type.name() + "-" + min + "-" + max + ".parquet";
                documents.store.put(
                        path,
                        Payload.of(parquet.merged(merged, type.kind().equals("entity") ? "entity_key" : "left_key")));
                index.entries.removeIf(entry -> min <= entry.max() && entry.max() <= max);
                index.entries.add(new FileEntry(min, max, path));
                index.upTo = head;
                indices.write(type, index);
            }
        }
        releaseLock();
        return true;
    }

    @Override
    public long head() {
        return documents.read(HEAD).integer("commit_id");
    }

    @Override
    public Map<String, String> names(long commitId) throws Exception {
        return parquet.names(indices.files(CUSTOMER, commitId), commitId);
    }

    @Override
    public Map<String, Long> numbers() throws Exception {
        return parquet.numbers(indices.files(KNOWS, head()));
    }

    @Override
    public List<String> history() throws Exception {
        return parquet.history(indices.files(CUSTOMER, head()));
    }

    @Override
    public List<String> schemas(String type) {
        return schemas.versions(new TypePlace("entities", type)).stream()
                .map(version -> version.integer("schema_version_id") + " " + version.text("schema_hash") + " "
                        + version.text("reason"))
                .toList();
    }

    @Override
    public Map<String, String> parts(String type) throws Exception {
        Map<String, String> found = new java.util.TreeMap<>();
        for (JsonObject row : parquet.parts(type, indices.files(new TypePlace("entities", type), head()))) {
            found.put(row.text("id"), CanonicalJson.write(row.fields()));
        }
        return found;
    }

    @Override
    public ForeignBus bus() {
        return new ForeignObjectsBus(documents);
    }

    @Override
    public void close() throws SQLException {
        parquet.close();
    }
}
