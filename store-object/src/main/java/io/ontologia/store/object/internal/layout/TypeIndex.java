package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code meta/indices/…}: which files hold the rows of a type. It may lag behind the commits, and can always be made anew
 * from them.
 *
 * @param upTo every commit up to this one was considered
 * @param entries by commit, not overlapping
 * @param other fields of the document that we do not know, kept as they are
 */
public record TypeIndex(TypeRef type, long upTo, List<Entry> entries, Map<String, @Nullable Object> other) {

    /**
     * One file.
     *
     * @param sha256 of its content, when the writer noted it
     */
    public record Entry(long minCommitId, long maxCommitId, String path, Optional<String> sha256) {
        /** Whether a commit is in the file's range. */
        public boolean covers(long commitId) {
            return minCommitId <= commitId && commitId <= maxCommitId;
        }

        /** Whether rows in the range from after one commit up to another may be in the file. */
        public boolean intersects(long after, long upTo) {
            return maxCommitId > after && minCommitId <= upTo;
        }

        /** Whether it is the file of one commit, and not a snapshot of several. */
        public boolean isOfOneCommit() {
            return minCommitId == maxCommitId;
        }
    }

    public TypeIndex {
        entries = entries.stream()
                .sorted(Comparator.comparingLong(Entry::minCommitId).thenComparing(Entry::path))
                .toList();
    }

    /** Before any commit. */
    public static TypeIndex empty(TypeRef type) {
        return new TypeIndex(type, 0, List.of(), Map.of());
    }

    /** Whether a commit is in the range of some file. */
    public boolean covers(long commitId) {
        return entries.stream().anyMatch(entry -> entry.covers(commitId));
    }

    /** The same with the files of later commits, and considered up to one of them. */
    public TypeIndex advanced(List<Entry> later, long newUpTo) {
        List<Entry> all = new ArrayList<>(entries);
        for (Entry entry : later) {
            all.removeIf(old -> old.isOfOneCommit() && old.minCommitId() == entry.minCommitId());
            if (all.stream().noneMatch(old -> old.covers(entry.minCommitId()))) {
                all.add(entry);
            }
        }
        return new TypeIndex(type, Math.max(upTo, newUpTo), all, other);
    }

    /**
     * The same, with one file instead of those in its range.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when a file is half in its range
     */
    public TypeIndex compacted(Entry snapshot) {
        List<Entry> all = new ArrayList<>(entries);
        all.removeIf(old -> snapshot.minCommitId() <= old.minCommitId() && old.maxCommitId() <= snapshot.maxCommitId());
        if (all.stream().anyMatch(old -> old.intersects(snapshot.minCommitId() - 1, snapshot.maxCommitId()))) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot compact " + type,
                    "somebody who does not respect the write lock replaced files meanwhile",
                    "run it again; nothing was changed");
        }
        all.add(snapshot);
        return new TypeIndex(type, upTo, all, other);
    }

    /** Reads the document. */
    public static TypeIndex parse(TypeRef type, byte[] bytes) {
        JsonObject json = JsonObject.parse(Keys.index(type), bytes);
        Map<String, @Nullable Object> other = new LinkedHashMap<>(json.fields());
        other.keySet().removeAll(List.of("type_name", "max_indexed_commit", "entries", "attempt_id"));
        return new TypeIndex(
                type,
                json.integer("max_indexed_commit"),
                json.objects("entries").stream()
                        .map(entry -> new Entry(
                                entry.integer("min_commit_id"),
                                entry.integer("max_commit_id"),
                                entry.text("path"),
                                entry.optionalText("content_sha256")))
                        .toList(),
                other);
    }

    /**
     * The document.
     *
     * @param attemptId makes it different from what anybody else writes
     */
    public byte[] bytes(String attemptId) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(other);
        fields.put("type_name", type.name());
        fields.put("max_indexed_commit", upTo);
        fields.put("entries", entries.stream().map(TypeIndex::fields).toList());
        fields.put("attempt_id", attemptId);
        return CanonicalJson.bytes(fields);
    }

    private static Map<String, @Nullable Object> fields(Entry entry) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("min_commit_id", entry.minCommitId());
        fields.put("max_commit_id", entry.maxCommitId());
        fields.put("path", entry.path());
        entry.sha256().ifPresent(hash -> fields.put("content_sha256", hash));
        return fields;
    }
}
