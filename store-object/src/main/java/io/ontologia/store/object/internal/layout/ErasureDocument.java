package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.ErasedRow;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Stored;
import io.ontologia.objectstore.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code meta/erasures/…}: what is left of the erased rows of one type, of all erasures so far, and the file that holds the others.
 * It counts while the registry names it.
 *
 * @param base holds every row of the commits in its range that was not erased; the files of these commits and earlier snapshots are
 *     not read any more. Empty in a copy, whose files never had the erased rows
 * @param rows the erased rows, by the commit that wrote them
 */
public record ErasureDocument(
        String path, TypeRef type, Optional<TypeIndex.Entry> base, Map<Long, List<ErasedRow>> rows) {
    public ErasureDocument {
        rows = new TreeMap<>(rows);
    }

    /** The last commit whose rows are in the base; 0 without one. */
    public long baseUpTo() {
        return base.map(TypeIndex.Entry::maxCommitId).orElse(0L);
    }

    /** The erased rows that a commit wrote. */
    public List<ErasedRow> rowsOf(long commitId) {
        return rows.getOrDefault(commitId, List.of());
    }

    /** Reads the document under a key. */
    public static ErasureDocument parse(String path, byte[] bytes) {
        return Stored.read(path, () -> read(path, bytes));
    }

    private static ErasureDocument read(String path, byte[] bytes) {
        JsonObject json = Sealed.parse(path, bytes);
        Sealed.requireSealed(path, json);
        TypeRef type = new TypeRef(TypeKind.of(json.text("kind")), json.text("type_name"));
        Map<Long, List<ErasedRow>> rows = new TreeMap<>();
        for (JsonObject group : json.objects("rows")) {
            List<ErasedRow> ofCommit = rows.computeIfAbsent(group.integer("commit_id"), unused -> new ArrayList<>());
            if (group.fields().get("row_sha256") instanceof List<?> hashes) {
                for (Object hash : hashes) {
                    ofCommit.add(new ErasedRow(type, Objects.toString(hash), group.integer("erased_by")));
                }
            }
        }
        return new ErasureDocument(
                path,
                type,
                json.fields().get("base") == null ? Optional.empty() : Optional.of(entry(json.object("base"))),
                rows);
    }

    private static TypeIndex.Entry entry(JsonObject json) {
        return new TypeIndex.Entry(
                json.integer("min_commit_id"),
                json.integer("max_commit_id"),
                ObjectKey.require(json.text("path")),
                Optional.of(json.text("content_sha256")));
    }

    /** The document. */
    public byte[] bytes() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("kind", type.kind().wireName());
        fields.put("type_name", type.name());
        fields.put("base", base.map(ErasureDocument::fields).orElse(null));
        List<Map<String, @Nullable Object>> groups = new ArrayList<>();
        rows.forEach((commit, ofCommit) -> {
            Map<Long, List<String>> byErasure = new TreeMap<>();
            ofCommit.forEach(row -> byErasure
                    .computeIfAbsent(row.erasedBy(), unused -> new ArrayList<>())
                    .add(row.sha256()));
            byErasure.forEach((erasedBy, hashes) -> {
                Map<String, @Nullable Object> group = new LinkedHashMap<>();
                group.put("commit_id", commit);
                group.put("erased_by", erasedBy);
                group.put("row_sha256", hashes);
                groups.add(group);
            });
        });
        fields.put("rows", groups);
        return Sealed.bytes(fields);
    }

    private static Map<String, @Nullable Object> fields(TypeIndex.Entry entry) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("min_commit_id", entry.minCommitId());
        fields.put("max_commit_id", entry.maxCommitId());
        fields.put("path", entry.path());
        fields.put("content_sha256", entry.sha256().orElseThrow());
        return fields;
    }
}
