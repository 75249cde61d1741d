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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows true inside a write transaction: finds those that differ from their latest version, and appends them to the
 * history and to the log.
 */
final class CommitWriter {
    private static final Comparator<DesiredRow> BY_IDENTITY = Comparator.<DesiredRow, String>comparing(
                    row -> row.type().name())
            .thenComparing(row -> first(row.identity()), CodePointOrder.INSTANCE);

    /**
     * The moment of the last commit, by how many rows the copies are behind (very many when they cannot be trusted), and
     * the current schema version of one type, all in one look.
     */
    private static final String SITUATION = """
            SELECT (SELECT created_at FROM commits ORDER BY id DESC LIMIT 1),
                coalesce((SELECT max(id) FROM entity_history), 0) - entity_upto
                    + coalesce((SELECT max(id) FROM relation_history), 0) - relation_upto + dirty * 1000000000,
                (%s)
            FROM onto_latest_state""".formatted(Schemas.CURRENT_VERSION);

    private static final String INSERT_COMMIT =
            "INSERT INTO commits (created_at, metadata_json) VALUES (?, ?) RETURNING id";

    private final SqlConnection connection;
    private final Clock clock;
    private final Upkeep upkeep;
    private @Nullable String lastMoment;
    private long rowsBehind;

    CommitWriter(SqlConnection connection, Clock clock, Upkeep upkeep) {
        this.connection = connection;
        this.clock = clock;
        this.upkeep = upkeep;
    }

    private static String first(Identity identity) {
        return identity instanceof Identity.OfEntity entity ? entity.key() : ((Identity.OfRelation) identity).leftKey();
    }

    /** Writes what differs; the caller commits the transaction, or rolls it back when there was nothing to do. */
    CommitResult write(CommitRequest request) throws SQLException {
        look(request.schemaVersions());
        List<DesiredRow> entities = new ArrayList<>();
        List<DesiredRow> relations = new ArrayList<>();
        for (DesiredRow row : request.rows()) {
            (row.type().kind() == TypeKind.ENTITY ? entities : relations).add(row);
        }
        return Math.max(entities.size(), relations.size()) < Reconciler.BULK
                ? writeFew(entities, relations, request)
                : writeMany(entities, relations, request);
    }

    private CommitResult writeFew(List<DesiredRow> entities, List<DesiredRow> relations, CommitRequest request)
            throws SQLException {
        CommitResult result = write(
                new RowReconciler(connection, RowTable.ENTITIES),
                entities,
                new RowReconciler(connection, RowTable.RELATIONS),
                relations,
                request);
        if (result instanceof CommitResult.Committed && upkeep.isDue(rowsBehind)) {
            Latest.catchUp(connection);
        }
        return result;
    }

    private CommitResult writeMany(List<DesiredRow> entities, List<DesiredRow> relations, CommitRequest request)
            throws SQLException {
        Latest.catchUp(connection);
        CommitResult result = write(
                new BulkReconciler(connection, RowTable.ENTITIES),
                entities,
                new BulkReconciler(connection, RowTable.RELATIONS),
                relations,
                request);
        if (result instanceof CommitResult.Committed) {
            Latest.markCurrent(connection);
        }
        return result;
    }

    private CommitResult write(
            Reconciler forEntities,
            List<DesiredRow> entities,
            Reconciler forRelations,
            List<DesiredRow> relations,
            CommitRequest request)
            throws SQLException {
        Reconciler.Difference changed = forEntities.compare(sorted(entities), request);
        Reconciler.Difference changedRelations = forRelations.compare(sorted(relations), request);
        long rows = changed.rows() + changedRelations.rows();
        if (rows == 0) {
            return new CommitResult.NothingToDo(Log.head(connection));
        }
        Instant at = Log.nextMoment(lastMoment, clock);
        long commitId = connection
                .number(
                        INSERT_COMMIT,
                        UtcTimestamp.format(at),
                        request.metadata().isEmpty() ? null : CanonicalJson.write(request.metadata()))
                .orElseThrow();
        forEntities.append(commitId);
        forRelations.append(commitId);
        long updated = changed.updates() + changedRelations.updates();
        return new CommitResult.Committed(commitId, at, rows - updated, updated);
    }

    private static List<DesiredRow> sorted(List<DesiredRow> rows) {
        rows.sort(BY_IDENTITY);
        return rows;
    }

    /** Looks at everything that a commit depends on, and refuses it when a schema changed. */
    private void look(Map<TypeRef, Long> expected) throws SQLException {
        List<TypeRef> outdated = new ArrayList<>();
        boolean first = true;
        for (Map.Entry<TypeRef, Long> type : expected.entrySet()) {
            long version = first ? lookAt(type.getKey()) : Schemas.currentVersion(connection, type.getKey());
            first = false;
            if (version != type.getValue()) {
                outdated.add(type.getKey());
            }
        }
        if (!outdated.isEmpty()) {
            throw new SchemaOutdatedException(outdated, "it was migrated or dropped since this session was opened");
        }
    }

    private long lookAt(TypeRef type) throws SQLException {
        try (ResultSet rows = connection
                .prepare(SITUATION, type.kind().wireName(), type.name())
                .executeQuery()) {
            rows.next();
            lastMoment = rows.getString(1);
            rowsBehind = rows.getLong(2);
            return rows.getLong(3);
        }
    }
}
