package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ObjectKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Is stored beside a snapshot and says what was proven about it: that it holds the rows of its sources, no more and no less.
 *
 * @param sources the files that it replaces
 * @param commitFiles the files of commits that its rows come from, by commit, as the manifests name them; empty in snapshots
 *     of earlier versions
 * @param checksum of the rows, whatever their order
 */
public record SnapshotDescriptor(
        TypeRef type,
        TypeIndex.Entry entry,
        List<String> sources,
        Optional<List<String>> commitFiles,
        long rowCount,
        String checksum,
        Instant createdAt) {
    private static final String COMMIT_FILES = "commit_files";

    /** Where the descriptor of a snapshot is. */
    public static String keyOf(String snapshotPath) {
        return snapshotPath.substring(0, snapshotPath.length() - ".parquet".length()) + ".json";
    }

    /** Reads the document. */
    public static SnapshotDescriptor parse(String key, byte[] bytes) {
        return Stored.read(key, () -> read(key, bytes));
    }

    private static SnapshotDescriptor read(String key, byte[] bytes) {
        JsonObject json = Sealed.parse(key, bytes);
        TypeRef type = new TypeRef(TypeKind.of(json.text("kind")), json.text("type_name"));
        return new SnapshotDescriptor(
                type,
                new TypeIndex.Entry(
                        json.integer("min_commit_id"),
                        json.integer("max_commit_id"),
                        ObjectKey.require(json.text("path")),
                        Optional.of(json.text("content_sha256"))),
                texts(json, "sources").orElse(List.of()),
                texts(json, COMMIT_FILES)
                        .map(files ->
                                files.stream().map(file -> expanded(type, file)).toList()),
                json.integer("row_count"),
                json.text("row_checksum"),
                UtcTimestamp.parse(json.text("created_at")));
    }

    private static Optional<List<String>> texts(JsonObject json, String field) {
        return json.fields().get(field) instanceof List<?> list
                ? Optional.of(list.stream().map(Objects::toString).toList())
                : Optional.empty();
    }

    /** There may be many, so a file at its usual place is written as the name of its attempt. */
    private static String shortened(TypeRef type, String path) {
        int end = path.indexOf('/', Keys.COMMITS.length());
        String attempt = path.startsWith(Keys.COMMITS) && end > 0 ? path.substring(Keys.COMMITS.length(), end) : "";
        return expanded(type, attempt).equals(path) ? attempt : path;
    }

    private static String expanded(TypeRef type, String file) {
        return file.contains("/") ? file : Keys.data(Keys.COMMITS + file + "/", type);
    }

    /** The document. */
    public byte[] bytes() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("kind", type.kind().wireName());
        fields.put("type_name", type.name());
        fields.put("min_commit_id", entry.minCommitId());
        fields.put("max_commit_id", entry.maxCommitId());
        fields.put("path", entry.path());
        fields.put("sources", sources);
        commitFiles.ifPresent(files -> fields.put(
                COMMIT_FILES, files.stream().map(file -> shortened(type, file)).toList()));
        fields.put("row_count", rowCount);
        fields.put("row_checksum", checksum);
        fields.put("content_sha256", entry.sha256().orElseThrow());
        fields.put("created_at", UtcTimestamp.format(createdAt));
        return Sealed.bytes(fields);
    }
}
