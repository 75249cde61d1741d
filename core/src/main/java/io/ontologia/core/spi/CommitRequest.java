package io.ontologia.core.spi;

import io.ontologia.core.Outbox;
import io.ontologia.core.RowRef;
import io.ontologia.core.TypeRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What should be true after a commit.
 *
 * @param rows at most one for each identity
 * @param metadata a JSON object that the log keeps with the commit
 * @param schemaVersions the version that each touched type must still have
 * @param runtimeId who asks
 * @param equality whether a stored payload that another writer formed its own way is the wanted one
 * @param outbox what happens on the event bus if, and only if, the commit is made
 * @param conditions what must hold when the commit becomes visible
 * @param cascading the retracted entities whose relations end with them; see {@link RetractedEnds}
 */
public record CommitRequest(
        List<DesiredRow> rows,
        Map<String, @Nullable Object> metadata,
        Map<TypeRef, Long> schemaVersions,
        String runtimeId,
        PayloadEquality equality,
        Outbox outbox,
        CommitConditions conditions,
        Set<RowRef> cascading) {

    /** A request without events, conditions and cascades. */
    public CommitRequest(
            List<DesiredRow> rows,
            Map<String, @Nullable Object> metadata,
            Map<TypeRef, Long> schemaVersions,
            String runtimeId,
            PayloadEquality equality) {
        this(rows, metadata, schemaVersions, runtimeId, equality, Outbox.none(), CommitConditions.none(), Set.of());
    }

    /** The same with other metadata and another outbox. */
    public CommitRequest with(Map<String, @Nullable Object> otherMetadata, Outbox otherOutbox) {
        return new CommitRequest(
                rows, otherMetadata, schemaVersions, runtimeId, equality, otherOutbox, conditions, cascading);
    }

    /** The same with other rows, and the schema versions of their types. */
    public CommitRequest with(List<DesiredRow> otherRows, Map<TypeRef, Long> otherVersions) {
        return new CommitRequest(
                otherRows, metadata, otherVersions, runtimeId, equality, outbox, conditions, cascading);
    }

    /** Whether entities are retracted, so that their relations matter. */
    public boolean retractsEntities() {
        return rows.stream().anyMatch(RetractedEnds::isRetractedEntity);
    }
}
