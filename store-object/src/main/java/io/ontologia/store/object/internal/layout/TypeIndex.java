package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Stored;
import io.ontologia.objectstore.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code meta/indices/…}: which files hold the rows of a type. It may lag behind the commits, and can always be rebuilt from
 * them. It is evidence only for commits of the history that its anchor belongs to.
 *
 * @param upTo every commit up to this one was considered
 * @param entries by commit, not overlapping
 * @param anchor the commit from whose history the entries were taken; indices of other writers and of earlier versions have
 *     none
 * @param other fields of the document that we do not know, kept as they are
 */
public record TypeIndex(
        TypeRef type, long upTo, List<Entry> entries, Optional<Anchor> anchor, Map<String, @Nullable Object> other) {
    private static final String ANCHOR = "anchor";
    private static final String ATTEMPT = "attempt_id";

    /**
     * One attempt at one commit. A manifest names the one before it by path, so the anchor stands for the whole history up to
     * its commit.
     */
    public record Anchor(long commitId, String manifestPath) {
        /** The anchor at the newest commit; a head before the first commit has none. */
        public static Optional<Anchor> at(Head head) {
            return head.manifestPath().map(path -> new Anchor(head.commitId(), path));
        }
    }

    /** Which rows of a file an entry stands for. */
    public enum Extent {
        /** All of them. */
        WHOLE,
        /** Those of the commits in the entry's range; the file has others, of another history. Never stored. */
        PART
    }

    /** An index without an anchor. */
    public TypeIndex(TypeRef type, long upTo, List<Entry> entries, Map<String, @Nullable Object> other) {
        this(type, upTo, entries, Optional.empty(), other);
    }

    /**
     * One file.
     *
     * @param sha256 of its content, when the writer noted it
     */
    public record Entry(long minCommitId, long maxCommitId, String path, Optional<String> sha256, Extent extent) {
        /** An entry for all rows of a file. */
        public Entry(long minCommitId, long maxCommitId, String path, Optional<String> sha256) {
            this(minCommitId, maxCommitId, path, sha256, Extent.WHOLE);
        }

        /** The same entry for the commits in a range within its own. */
        public Entry between(long from, long to) {
            return from <= minCommitId && to >= maxCommitId
                    ? this
                    : new Entry(Math.max(from, minCommitId), Math.min(to, maxCommitId), path, sha256, Extent.PART);
        }

        /** Whether a commit is in the file's range. */
        public boolean covers(long commitId) {
            return minCommitId <= commitId && commitId <= maxCommitId;
        }

        /** Whether rows in the range from after one commit up to another may be in the file. */
        public boolean intersects(long after, long upTo) {
            return maxCommitId > after && minCommitId <= upTo;
        }

        /** Whether it is the file of a commit, and not a snapshot. */
        public boolean isOfOneCommit() {
            return minCommitId == maxCommitId && !path.startsWith(Keys.SNAPSHOTS);
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

    /** The same with other entries. */
    public TypeIndex with(List<Entry> changed) {
        return new TypeIndex(type, upTo, changed, anchor, other);
    }

    /** Whether it was taken from the history of a head, up to its newest commit. */
    public boolean isAnchoredAt(Head head) {
        return upTo == head.commitId() && anchor.isPresent() && anchor.equals(Anchor.at(head));
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
                    "a writer without the write lock replaced files meanwhile",
                    "run it again; nothing was changed");
        }
        all.add(snapshot);
        return with(all);
    }

    /** Reads the document. */
    public static TypeIndex parse(TypeRef type, byte[] bytes) {
        return Stored.read(Keys.index(type), () -> read(type, bytes));
    }

    private static TypeIndex read(TypeRef type, byte[] bytes) {
        JsonObject json = Sealed.parseReplaceable(Keys.index(type), bytes, ATTEMPT);
        Map<String, @Nullable Object> other = new LinkedHashMap<>(json.fields());
        other.keySet().removeAll(List.of("type_name", "max_indexed_commit", "entries", ATTEMPT, ANCHOR, Sealed.SEAL));
        return new TypeIndex(
                type,
                json.integer("max_indexed_commit"),
                json.objects("entries").stream()
                        .map(entry -> new Entry(
                                entry.integer("min_commit_id"),
                                entry.integer("max_commit_id"),
                                ObjectKey.require(entry.text("path")),
                                entry.optionalText("content_sha256")))
                        .toList(),
                json.fields().get(ANCHOR) == null ? Optional.empty() : Optional.of(anchor(json.object(ANCHOR))),
                other);
    }

    private static Anchor anchor(JsonObject json) {
        return new Anchor(json.integer("commit_id"), ObjectKey.require(json.text("manifest_path")));
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
        anchor.ifPresent(
                at -> fields.put(ANCHOR, Map.of("commit_id", at.commitId(), "manifest_path", at.manifestPath())));
        fields.put(ATTEMPT, attemptId);
        return Sealed.replaceable(fields, ATTEMPT);
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
