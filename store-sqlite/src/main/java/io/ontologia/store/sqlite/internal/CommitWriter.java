package io.ontologia.store.sqlite.internal;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Makes rows true inside a write transaction: finds those that differ from their latest version, and appends them to the
 * history and to the log.
 */
final class CommitWriter {
    private static final Comparator<DesiredRow> BY_IDENTITY = Comparator.<DesiredRow, String>comparing(
                    row -> row.type().name())
            .thenComparing(row -> first(row.identity()), CodePointOrder.INSTANCE);

    private final SqlConnection connection;
    private final Clock clock;

    CommitWriter(SqlConnection connection, Clock clock) {
        this.connection = connection;
        this.clock = clock;
    }

    private static String first(Identity identity) {
        return identity instanceof Identity.OfEntity entity ? entity.key() : ((Identity.OfRelation) identity).leftKey();
    }

    /** Writes what differs; the caller commits the transaction, or rolls it back when there was nothing to do. */
    CommitResult write(CommitRequest request) throws SQLException {
        requireSchemas(request.schemaVersions());
        Latest.catchUp(connection);
        List<DesiredRow> entities = new ArrayList<>();
        List<DesiredRow> relations = new ArrayList<>();
        for (DesiredRow row : request.rows()) {
            (row.type().kind() == TypeKind.ENTITY ? entities : relations).add(row);
        }
        Reconciler forEntities = Reconciler.of(connection, RowTable.ENTITIES, entities.size());
        Reconciler forRelations = Reconciler.of(connection, RowTable.RELATIONS, relations.size());
        Reconciler.Difference changed = forEntities.compare(sorted(entities), request);
        Reconciler.Difference changedRelations = forRelations.compare(sorted(relations), request);
        if (changed.rows() + changedRelations.rows() == 0) {
            return new CommitResult.NothingToDo(Log.head(connection));
        }
        Instant at = Log.nextMoment(connection, clock);
        long commitId = connection
                .number(
                        "INSERT INTO commits (created_at, metadata_json) VALUES (?, ?) RETURNING id",
                        UtcTimestamp.format(at),
                        request.metadata().isEmpty() ? null : CanonicalJson.write(request.metadata()))
                .orElseThrow();
        forEntities.append(commitId);
        forRelations.append(commitId);
        Latest.markCurrent(connection);
        long updated = changed.updates() + changedRelations.updates();
        return new CommitResult.Committed(commitId, at, changed.rows() + changedRelations.rows() - updated, updated);
    }

    private static List<DesiredRow> sorted(List<DesiredRow> rows) {
        rows.sort(BY_IDENTITY);
        return rows;
    }

    private void requireSchemas(Map<TypeRef, Long> expected) throws SQLException {
        List<TypeRef> outdated = new ArrayList<>();
        for (Map.Entry<TypeRef, Long> type : expected.entrySet()) {
            if (Schemas.currentVersion(connection, type.getKey()) != type.getValue()) {
                outdated.add(type.getKey());
            }
        }
        if (!outdated.isEmpty()) {
            throw new SchemaOutdatedException(outdated, "it was migrated or dropped since this session was opened");
        }
    }
}
