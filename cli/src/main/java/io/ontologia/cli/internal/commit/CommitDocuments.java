package io.ontologia.cli.internal.commit;

import io.ontologia.core.Change;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Identity;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.UtcTimestamp;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Commits and changes as JSON documents. */
final class CommitDocuments {
    private static final int SHOWN = 12;

    private CommitDocuments() {}

    static Map<String, @Nullable Object> of(CommitInfo commit) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("commit_id", commit.id());
        document.put("timestamp", UtcTimestamp.format(commit.at()));
        document.put("operations", commit.operations());
        document.put("author", commit.author().orElse(null));
        document.put("reason", commit.reason().orElse(null));
        document.put("meta", commit.metadata());
        document.put("digest", commit.digest().orElse(null));
        return document;
    }

    /** What was changed and how, without values. */
    static Map<String, @Nullable Object> of(Change change) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("kind", change.type().kind().wireName());
        document.put("type_name", change.type().name());
        if (change.identity() instanceof Identity.OfRelation relation) {
            document.put("left_key", relation.leftKey());
            document.put("right_key", relation.rightKey());
            document.put("instance_key", relation.instanceKey().isEmpty() ? null : relation.instanceKey());
        } else {
            document.put("key", change.identity().toString());
        }
        document.put("operation", change.operation().wireName());
        return document;
    }

    /** As much of a digest as tells it from others at a glance. */
    static String shortDigest(CommitInfo commit) {
        return commit.digest()
                .map(digest -> digest.substring(0, Math.min(digest.length(), SHOWN)))
                .orElse("");
    }

    /** Metadata on one line, without what has a column of its own: {@code ticket=OPS-12 source=crm}. */
    static String metadataText(CommitInfo commit) {
        return commit.metadata().entrySet().stream()
                .filter(pair -> !(pair.getKey().equals(CommitInfo.AUTHOR)
                                && commit.author().isPresent())
                        && !(pair.getKey().equals(CommitInfo.REASON)
                                && commit.reason().isPresent()))
                .map(pair -> pair.getKey() + "="
                        + (pair.getValue() instanceof String text ? text : CanonicalJson.write(pair.getValue())))
                .collect(Collectors.joining(" "));
    }
}
