package io.ontologia.core.spi;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.TypeKind;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The digest of one commit, over its rows, time, metadata and the digest of the commit before it: who knows the digest of a
 * commit can prove that nothing up to it was changed. Both backends give the same history the same digests. The format is
 * described in {@code docs/reference/digests.md}.
 */
public final class CommitDigest {
    /** Stands for the digest before the first commit. */
    public static final String START = "";

    private static final String FORMAT = "ontologia-commit-1";

    private static final Comparator<RowsDigest> BY_TYPE = Comparator.<RowsDigest, TypeKind>comparing(
                    rows -> rows.type().kind())
            .thenComparing(rows -> rows.type().name(), CodePointOrder.INSTANCE);

    private CommitDigest() {}

    /**
     * The digest of a commit.
     *
     * @param previous the digest of the commit before it, or {@link #START}
     * @param rows of each type that the commit wrote rows of, in any order
     */
    public static String of(
            String previous,
            long commitId,
            Instant at,
            Map<String, ? extends @Nullable Object> metadata,
            Collection<RowsDigest> rows) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("previous", previous.equals(START) ? null : previous);
        document.put("commit_id", commitId);
        document.put("created_at", UtcTimestamp.format(at));
        document.put("metadata", metadata);
        document.put(
                "rows",
                rows.stream()
                        .filter(ofType -> ofType.rows() > 0)
                        .sorted(BY_TYPE)
                        .map(CommitDigest::document)
                        .toList());
        return Sha256.hex(CanonicalJson.bytes(document));
    }

    private static Map<String, @Nullable Object> document(RowsDigest rows) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("kind", rows.type().kind().wireName());
        document.put("type_name", rows.type().name());
        document.put("row_count", rows.rows());
        document.put("rows_sha256", rows.sha256().orElse(null));
        return document;
    }

    /** The digest of an entry of the log. */
    public static String of(String previous, CommitInfo commit, Collection<RowsDigest> rows) {
        return of(previous, commit.id(), commit.at(), commit.metadata(), rows);
    }
}
