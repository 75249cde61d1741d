package io.ontologia.cli.internal.query;

import io.ontologia.core.Identity;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows as JSON documents. */
final class RowDocuments {
    private RowDocuments() {}

    /** {@code {key, fields, commit_id}}, or {@code {left_key, right_key, instance_key, fields, commit_id}}. */
    static Map<String, @Nullable Object> of(Result<Row> result) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        if (result.identity() instanceof Identity.OfRelation relation) {
            document.put("left_key", relation.leftKey());
            document.put("right_key", relation.rightKey());
            document.put("instance_key", relation.instanceKey().isEmpty() ? null : relation.instanceKey());
        } else {
            document.put("key", result.identity().toString());
        }
        document.put("fields", result.value().fields());
        document.put("commit_id", result.commitId());
        return document;
    }
}
