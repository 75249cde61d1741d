package io.ontologia.store.object.internal.layout;

import io.ontologia.core.Event;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.Expected;
import io.ontologia.objectstore.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code manifest.json} of one commit: what it wrote, and which commit came before it.
 *
 * @param parentId 0 for the first commit
 * @param parentPath the key of the parent's manifest; empty for the first commit
 * @param events what the commit enqueues on the event bus; other writers have none
 * @param purged what is known of rows that the commit wrote and that were purged before the store was copied to this place
 * @param digest of the commit; empty where the commit before has none
 */
public record Manifest(
        String path,
        long commitId,
        long parentId,
        Optional<String> parentPath,
        Instant createdAt,
        String runtimeId,
        Map<String, @Nullable Object> metadata,
        List<File> files,
        List<Event> events,
        List<RowsDigest> purged,
        Optional<String> digest) {
    private static final String DIGEST = "digest";

    /** A manifest without events. */
    public Manifest(
            String path,
            long commitId,
            long parentId,
            Optional<String> parentPath,
            Instant createdAt,
            String runtimeId,
            Map<String, @Nullable Object> metadata,
            List<File> files) {
        this(
                path,
                commitId,
                parentId,
                parentPath,
                createdAt,
                runtimeId,
                metadata,
                files,
                List.of(),
                List.of(),
                Optional.empty());
    }

    /**
     * The rows of one type.
     *
     * @param sha256 of the file's content; other writers may have left it out
     * @param rowsSha256 the {@linkplain RowsDigest digest} of its rows; other writers have none
     */
    public record File(
            TypeRef type,
            String path,
            long rowCount,
            long schemaVersion,
            Optional<String> sha256,
            Optional<String> rowsSha256) {
        /** The digest of its rows as it was written. */
        public RowsDigest rowsDigest() {
            return new RowsDigest(type, rowCount, rowsSha256);
        }
    }

    /** The same with the digest that follows from the one of the commit before. */
    public Manifest onto(Optional<String> previous) {
        List<RowsDigest> rows = new ArrayList<>(purged);
        files.forEach(file -> rows.add(file.rowsDigest()));
        return new Manifest(
                path,
                commitId,
                parentId,
                parentPath,
                createdAt,
                runtimeId,
                metadata,
                files,
                events,
                purged,
                previous.map(before -> CommitDigest.of(before, commitId, createdAt, metadata, rows)));
    }

    /** The same with other events. */
    public Manifest withEvents(List<Event> others) {
        return new Manifest(
                path, commitId, parentId, parentPath, createdAt, runtimeId, metadata, files, others, purged, digest);
    }

    /** The file with the rows of a type, if there are any. */
    public Optional<File> file(TypeRef type) {
        return files.stream().filter(file -> file.type().equals(type)).findFirst();
    }

    /** Reads the document under a key. */
    public static Manifest parse(String path, byte[] bytes) {
        return Stored.read(path, () -> read(path, bytes));
    }

    private static Manifest read(String path, byte[] bytes) {
        JsonObject json = Sealed.parse(path, bytes);
        Optional<String> digest = json.optionalText(DIGEST);
        digest.ifPresent(unused -> Sealed.requireSealed(path, json));
        boolean first = json.fields().get("parent_commit_id") == null;
        return new Manifest(
                path,
                json.integer("commit_id"),
                first ? 0 : json.integer("parent_commit_id"),
                json.optionalText("parent_manifest_path").map(ObjectKey::require),
                UtcTimestamp.parse(json.text("created_at")),
                json.optionalText("runtime_id").orElse(""),
                json.fields().get("metadata") == null
                        ? Map.of()
                        : json.object("metadata").fields(),
                json.objects("files").stream().map(Manifest::file).toList(),
                json.fields().get("events") == null
                        ? List.of()
                        : json.objects("events").stream()
                                .map(EventDocument::event)
                                .toList(),
                json.fields().get("purged") == null
                        ? List.of()
                        : json.objects("purged").stream().map(Manifest::purged).toList(),
                digest);
    }

    private static RowsDigest purged(JsonObject json) {
        return new RowsDigest(
                new TypeRef(TypeKind.of(json.text("kind")), json.text("type_name")),
                json.integer("row_count"),
                json.optionalText("rows_sha256"));
    }

    private static Map<String, @Nullable Object> fields(RowsDigest rows) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("kind", rows.type().kind().wireName());
        fields.put("type_name", rows.type().name());
        fields.put("row_count", rows.rows());
        fields.put("rows_sha256", rows.sha256().orElse(null));
        return fields;
    }

    private static File file(JsonObject json) {
        return new File(
                new TypeRef(TypeKind.of(json.text("kind")), json.text("type_name")),
                ObjectKey.require(json.text("path")),
                json.integer("row_count"),
                json.fields().get("schema_version_id") == null ? 1 : json.integer("schema_version_id"),
                json.optionalText("content_sha256")
                        .flatMap(hash -> Expected.anything().sha256(hash).sha256()),
                json.optionalText("rows_sha256"));
    }

    /** The document. */
    public byte[] bytes() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("commit_id", commitId);
        fields.put("parent_commit_id", parentId == 0 ? null : parentId);
        fields.put("parent_manifest_path", parentPath.orElse(null));
        fields.put("created_at", UtcTimestamp.format(createdAt));
        fields.put("runtime_id", runtimeId);
        fields.put("metadata", metadata);
        fields.put("files", files.stream().map(Manifest::fields).toList());
        if (!events.isEmpty()) {
            fields.put("events", events.stream().map(EventDocument::fields).toList());
        }
        if (!purged.isEmpty()) {
            fields.put("purged", purged.stream().map(Manifest::fields).toList());
        }
        digest.ifPresent(hash -> fields.put(DIGEST, hash));
        return Sealed.bytes(fields);
    }

    private static Map<String, @Nullable Object> fields(File file) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("kind", file.type().kind().wireName());
        fields.put("type_name", file.type().name());
        fields.put("path", file.path());
        fields.put("row_count", file.rowCount());
        fields.put("schema_version_id", file.schemaVersion());
        fields.put("content_sha256", file.sha256().orElse(null));
        file.rowsSha256().ifPresent(hash -> fields.put("rows_sha256", hash));
        return fields;
    }
}
