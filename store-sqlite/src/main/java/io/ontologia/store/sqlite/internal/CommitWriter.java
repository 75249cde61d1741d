package io.ontologia.store.sqlite.internal;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitConditions;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.CodePointOrder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows true inside a write transaction: finds those that differ from their latest version, and appends them to the
 * history and to the log.
 */
final class CommitWriter {
    private static final Comparator<DesiredRow> BY_IDENTITY = Comparator.<DesiredRow, String>comparing(
                    row -> row.type().name())
            .thenComparing(row -> first(row.identity()), CodePointOrder.INSTANCE);

    /** The id is given, because to have it returned costs more than to know it. */
    private static final String INSERT_COMMIT = "INSERT INTO commits (id, created_at, metadata_json) VALUES (?, ?, ?)";

    private final SqlConnection connection;
    private final Clock clock;
    private final Upkeep upkeep;
    private Optional<Situation> next = Optional.empty();
    private @Nullable String digest;

    CommitWriter(SqlConnection connection, Clock clock, Upkeep upkeep) {
        this.connection = connection;
        this.clock = clock;
        this.upkeep = upkeep;
    }

    /** What the commit leaves, where that is known. */
    Optional<Situation> next() {
        return next;
    }

    /** The digest of the commit; null where the one before has none. */
    @Nullable String digest() {
        return digest;
    }

    private static String first(Identity identity) {
        return identity instanceof Identity.OfEntity entity ? entity.key() : ((Identity.OfRelation) identity).leftKey();
    }

    /**
     * Begins a write transaction in which nobody else holds an unexpired lock, waiting for it up to the timeout, and looks
     * at what the commit depends on.
     */
    static Situation begin(
            SqlConnection connection, CommitRequest request, Clock clock, Duration timeout, Foresight foresight)
            throws SQLException {
        TypeRef type = anyType(request);
        connection.begin("BEGIN IMMEDIATE");
        Situation situation = look(connection, type, foresight);
        if (situation.lockOwner() != null && request.conditions().lease().isEmpty()) {
            connection.rollback();
            WriteLock.begin(connection, request.runtimeId(), clock, timeout);
            situation = look(connection, type, foresight);
        }
        return situation;
    }

    /** Refuses a commit whose conditions do not hold. Inside its transaction, so that they hold until its end. */
    private void requireConditions(CommitRequest request) throws SQLException {
        CommitConditions conditions = request.conditions();
        if (conditions.lease().isPresent()) {
            SqliteLocks.requireHeld(connection, conditions.lease().get());
        }
        if (conditions.head().isPresent()) {
            conditions.requireHead(Log.head(connection));
        }
        conditions.requireUnchanged(new Ends(connection)::version);
    }

    private static Situation look(SqlConnection connection, TypeRef type, Foresight foresight) throws SQLException {
        try {
            return foresight.look(connection, type);
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        }
    }

    /** The type whose version the situation has. */
    static TypeRef anyType(CommitRequest request) {
        return request.schemaVersions().keySet().iterator().next();
    }

    /** As {@link #write(CommitRequest, Situation)}, in a transaction that others began. */
    CommitResult write(CommitRequest request) throws SQLException {
        return write(request, Situation.of(connection, anyType(request)));
    }

    /** Writes what differs; the caller commits the transaction, or rolls it back when there was nothing to do. */
    CommitResult write(CommitRequest asked, Situation situation) throws SQLException {
        requireConditions(asked);
        requireSchemas(asked.schemaVersions(), situation);
        boolean levels = asked.retractsEntities();
        Position start = levels ? level() : situation.position();
        CommitRequest request = levels ? new Ends(connection).settle(asked) : asked;
        List<DesiredRow> entities = new ArrayList<>();
        List<DesiredRow> relations = new ArrayList<>();
        for (DesiredRow row : request.rows()) {
            (row.type().kind() == TypeKind.ENTITY ? entities : relations).add(row);
        }
        boolean small = Math.max(entities.size(), relations.size()) < Reconciler.BULK;
        Position before = small ? start : readyForMany(start);
        Reconciler forEntities = reconciler(RowTable.ENTITIES, small, before, entities);
        Reconciler forRelations = reconciler(RowTable.RELATIONS, small, before, relations);
        Reconciler.Difference changed = forEntities.compare(sorted(entities), request);
        Reconciler.Difference changedRelations = forRelations.compare(sorted(relations), request);
        long rows = changed.rows() + changedRelations.rows();
        if (rows == 0) {
            return new CommitResult.NothingToDo(Log.head(connection));
        }
        Log.Moment moment = Log.nextMoment(situation.lastMoment(), clock);
        long commitId = situation.nextCommitId();
        connection.update(
                INSERT_COMMIT,
                commitId,
                moment.text(),
                request.metadata().isEmpty() ? null : CanonicalJson.write(request.metadata()));
        long retracted = changed.retractions() + changedRelations.retractions();
        if (retracted > 0) {
            Features.declareRetractions(connection);
        }
        forEntities.append(commitId);
        forRelations.append(commitId);
        digest = situation.digest();
        if (digest != null) {
            List<RowsDigest> written = new ArrayList<>(forEntities.digests());
            written.addAll(forRelations.digests());
            digest = CommitDigest.of(digest, commitId, moment.at(), request.metadata(), written);
            Digests.record(connection, commitId, digest);
        }
        Latest.Writer writer = upkeep.wroteAllSince(before) ? Latest.Writer.US : Latest.Writer.OTHERS;
        if (upkeep.isDue(before, small ? Upkeep.Size.SMALL : Upkeep.Size.LARGE, rows)) {
            upkeep.arrived(Latest.catchUp(connection, writer));
        } else {
            upkeep.leaving(before, request.rows());
            next = Optional.of(situation.after(moment.text(), digest, before.behindBy(rows)));
        }
        long updated = changed.updates() + changedRelations.updates();
        return new CommitResult.Committed(commitId, moment.at(), rows - updated - retracted, updated, retracted);
    }

    private Reconciler reconciler(RowTable table, boolean small, Position before, List<DesiredRow> rows) {
        return small
                ? new RowReconciler(connection, table)
                : new BulkReconciler(connection, table, upkeep.mayBeBehind(before, rows));
    }

    /** Many rows are compared with the copies, which may lack nothing but what we wrote ourselves. */
    private Position readyForMany(Position position) throws SQLException {
        return upkeep.wroteAllSince(position) ? position : level();
    }

    /** Brings the copies level. */
    private Position level() throws SQLException {
        upkeep.arrived(Latest.catchUp(connection, Latest.Writer.OTHERS));
        return Position.of(connection);
    }

    private static List<DesiredRow> sorted(List<DesiredRow> rows) {
        rows.sort(BY_IDENTITY);
        return rows;
    }

    private void requireSchemas(Map<TypeRef, Long> expected, Situation situation) throws SQLException {
        List<TypeRef> outdated = new ArrayList<>();
        boolean first = true;
        for (Map.Entry<TypeRef, Long> type : expected.entrySet()) {
            long version = first ? situation.version() : Schemas.currentVersion(connection, type.getKey());
            first = false;
            if (version != type.getValue()) {
                outdated.add(type.getKey());
            }
        }
        if (!outdated.isEmpty()) {
            throw new SchemaOutdatedException(outdated, "it was migrated or dropped since this session was opened");
        }
    }
}
