package io.ontologia.cli.internal.query;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Identity;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.kernel.UtcTimestamp;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows as JSON documents. */
final class RowDocuments {
    private RowDocuments() {}

    /** As {@link #of(Result)}, with what the commit of the row says about itself. */
    static Map<String, @Nullable Object> of(Result<Row> result, @Nullable CommitInfo commit) {
        Map<String, @Nullable Object> document = of(result);
        document.put("timestamp", commit == null ? null : UtcTimestamp.format(commit.at()));
        document.put("author", commit == null ? null : commit.author().orElse(null));
        document.put("reason", commit == null ? null : commit.reason().orElse(null));
        return document;
    }

    /**
     * {@code {key, fields, commit_id}}, or {@code {left_key, right_key, instance_key, fields, commit_id}}. The end of a row has no
     * fields, and {@code ended} is true.
     */
    static Map<String, @Nullable Object> of(Result<Row> result) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        if (result.identity() instanceof Identity.OfRelation relation) {
            document.put("left_key", relation.leftKey());
            document.put("right_key", relation.rightKey());
            document.put("instance_key", relation.instanceKey().isEmpty() ? null : relation.instanceKey());
        } else {
            document.put("key", result.identity().toString());
        }
        document.put("fields", result.isEnd() ? null : result.value().fields());
        document.put("commit_id", result.commitId());
        if (result.isEnd()) {
            document.put("ended", true);
        }
        return document;
    }
}
