package io.ontologia.store.sqlite.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitDigest;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.Restructuring.Step;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes schemas and rows inside one write transaction. While it runs nobody else can write to the file at all, so the
 * lock row needs no renewal: it is enough that it is ours when the transaction begins.
 */
final class Restructurer {
    private final SqlConnection connection;
    private final Clock clock;
    private final List<RowsDigest> rewritten = new ArrayList<>();

    Restructurer(SqlConnection connection, Clock clock) {
        this.connection = connection;
        this.clock = clock;
    }

    /** Does everything that is asked for; the caller commits the transaction, or rolls it back when this throws. */
    Restructured write(Restructuring request) throws SQLException {
        SqliteLocks.requireHeld(connection, request.lock());
        requireUnchanged(request);
        Latest.catchUp(connection, Latest.Writer.OTHERS);
        Optional<String> previous = Digests.previous(connection);
        Log.Moment moment = Log.nextMoment(connection, clock);
        Instant at = moment.at();
        long commitId = connection
                .number("INSERT INTO commits (created_at) VALUES (?) RETURNING id", moment.text())
                .orElseThrow();
        List<Restructured.Outcome> outcomes = new ArrayList<>();
        for (Step step : request.steps()) {
            outcomes.add(apply(step, request, commitId, at));
        }
        Map<String, @Nullable Object> metadata = request.metadata().apply(List.copyOf(outcomes));
        connection.update("UPDATE commits SET metadata_json = ? WHERE id = ?", CanonicalJson.write(metadata), commitId);
        if (previous.isPresent()) {
            Digests.record(connection, commitId, CommitDigest.of(previous.get(), commitId, at, metadata, rewritten));
        }
        Latest.markCurrent(connection);
        return new Restructured(commitId, at, outcomes);
    }

    private void requireUnchanged(Restructuring request) throws SQLException {
        if (Log.head(connection) != request.expectedHead()
                || !Schemas.currentVersions(connection).equals(request.expectedVersions())) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot change the schemas",
                    "somebody who does not respect the write lock made a commit or changed a schema",
                    "preview it again; nothing was changed");
        }
    }

    private Restructured.Outcome apply(Step step, Restructuring request, long commitId, Instant at)
            throws SQLException {
        if (step instanceof Step.Register register) {
            long version =
                    Schemas.add(connection, register.declared(), at, request.runtimeId(), "initial", Optional.empty());
            Schemas.indexFields(connection, List.of(register.declared()));
            return new Restructured.Outcome(step.type(), version, 0);
        }
        if (step instanceof Step.Migrate migrate) {
            return migrate(migrate, request, commitId, at);
        }
        return remove((Step.Remove) step);
    }

    private Restructured.Outcome migrate(Step.Migrate step, Restructuring request, long commitId, Instant at)
            throws SQLException {
        Schemas.dropIndexes(connection, step.type());
        long version = request.expectedVersions().getOrDefault(step.type(), 0L) + 1;
        Rewriter rewriter = new Rewriter(connection, step.type(), commitId, version);
        long rows = rewriter.rewrite(step.upgrade(), step.rows(), request.progress());
        rewritten.add(rewriter.digest());
        long stored = Schemas.add(
                connection, step.declared(), at, request.runtimeId(), "migration", Optional.of(step.record()));
        Schemas.indexFields(connection, List.of(step.declared()));
        if (stored != version) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot migrate " + step.type(),
                    "its next schema version would be " + stored + " and not " + version,
                    "run 'onto fsck'");
        }
        return new Restructured.Outcome(step.type(), version, rows);
    }

    private Restructured.Outcome remove(Step.Remove step) throws SQLException {
        TypeRef type = step.type();
        RowTable table = RowTable.of(type.kind());
        long rows = 0;
        if (step.history() == Restructuring.History.PURGE) {
            Digests.purge(connection, type);
            connection.update(table.sql("DELETE FROM {latest} WHERE {type} = ?"), type.name());
            rows = connection.update(table.sql("DELETE FROM {history} WHERE {type} = ?"), type.name());
            Latest.recount(connection, table);
        } else if (connection
                .number(table.sql("SELECT 1 FROM {history} WHERE {type} = ? LIMIT 1"), type.name())
                .isPresent()) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT, "cannot drop " + type, "it has rows", "purge its history; nothing was changed");
        }
        long version = Schemas.currentVersion(connection, type);
        Schemas.remove(connection, type);
        return new Restructured.Outcome(type, version, rows);
    }
}
