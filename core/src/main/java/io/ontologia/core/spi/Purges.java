package io.ontologia.core.spi;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether rows that are noted as purged were purged by a commit: the commit that drops a type says so in its metadata, which its
 * digest covers. Rows that are only noted as purged were removed in another way.
 */
final class Purges {
    /** The first commit with purged rows of each type, until a commit says that it purged them. */
    private final Map<String, Long> open = new LinkedHashMap<>();

    /** Goes on to the next commit. */
    void passed(CommitInfo commit, List<RowsDigest> purged) {
        if (Boolean.TRUE.equals(commit.metadata().get("purge_history"))
                && commit.metadata().get("dropped_types") instanceof List<?> types) {
            for (Object type : types) {
                if (type instanceof Map<?, ?> fields) {
                    open.remove(fields.get("type_kind") + " " + fields.get("type_name"));
                }
            }
        }
        purged.forEach(rows -> open.putIfAbsent(
                rows.type().kind().wireName() + " " + rows.type().name(), commit.id()));
    }

    /** What was found in all commits. */
    Optional<Finding> unexplained() {
        return open.entrySet().stream()
                .findFirst()
                .map(first -> new Finding(
                        "purge-unexplained",
                        Severity.ERROR,
                        "rows are noted as purged although no later commit dropped their type: restore the store from a backup",
                        open.size(),
                        first.getKey() + " in commit " + first.getValue()));
    }
}
