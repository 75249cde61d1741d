package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stands beside a snapshot and says what was proven about it: that it holds the rows of its sources, no more and no less.
 *
 * @param sources the files that it replaces
 * @param checksum of the rows, whatever their order
 */
public record SnapshotDescriptor(
        TypeRef type, TypeIndex.Entry entry, List<String> sources, long rowCount, String checksum, Instant createdAt) {

    /** Where the descriptor of a snapshot is. */
    public static String keyOf(String snapshotPath) {
        return snapshotPath.substring(0, snapshotPath.length() - ".parquet".length()) + ".json";
    }

    /** Reads the document. */
    public static SnapshotDescriptor parse(String key, byte[] bytes) {
        JsonObject json = JsonObject.parse(key, bytes);
        List<?> sources = json.fields().get("sources") instanceof List<?> list ? list : List.of();
        return new SnapshotDescriptor(
                new TypeRef(TypeKind.of(json.text("kind")), json.text("type_name")),
                new TypeIndex.Entry(
                        json.integer("min_commit_id"),
                        json.integer("max_commit_id"),
                        json.text("path"),
                        Optional.of(json.text("content_sha256"))),
                sources.stream().map(Objects::toString).toList(),
                json.integer("row_count"),
                json.text("row_checksum"),
                UtcTimestamp.parse(json.text("created_at")));
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
        fields.put("row_count", rowCount);
        fields.put("row_checksum", checksum);
        fields.put("content_sha256", entry.sha256().orElseThrow());
        fields.put("created_at", UtcTimestamp.format(createdAt));
        return CanonicalJson.bytes(fields);
    }
}
