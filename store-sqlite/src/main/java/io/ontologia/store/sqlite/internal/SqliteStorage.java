package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Change;
import io.ontologia.core.Claim;
import io.ontologia.core.ClaimLostException;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Explanation;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.NewEvent;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Outbox;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DanglingRelations;
import io.ontologia.core.spi.DigestChain;
import io.ontologia.core.spi.Doorbells;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.LogQuery;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store in one SQLite file. */
public final class SqliteStorage implements Storage {
    private final SqliteUri uri;
    private final StorageOptions options;
    private final Connections connections;
    private final SqliteLocks locks;
    private final Upkeep upkeep = new Upkeep();
    private final Foresight foresight = new Foresight();
    private final ClaimSearch search;
    private final Doorbells bells;

    private SqliteStorage(SqliteUri uri, StorageOptions options) {
        this.uri = uri;
        this.options = options;
        this.connections = new Connections(uri.file(), options);
        this.locks = new SqliteLocks(connections, options);
        this.search = new ClaimSearch(options.clock(), connections::text);
        this.bells = Doorbells.of("sqlite:" + connections.file().normalize());
    }

    /** Opens the file, and prepares it when it may be written to. */
    public static SqliteStorage open(SqliteUri uri, StorageOptions options) {
        SqliteStorage storage = new SqliteStorage(uri, options);
        try {
            if (storage.connections.writable()) {
                Preparation.run(storage.connections, options.clock());
            }
            return storage;
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    @Override
    public String backend() {
        return "sqlite";
    }

    @Override
    public String location() {
        return uri.text();
    }

    @Override
    public long head() {
        return read("cannot read the newest commit", Log::head);
    }

    @Override
    public List<SchemaVersion> schemas() {
        return read("cannot read the schemas", Schemas::current);
    }

    @Override
    public List<SchemaVersion> schemaVersions(TypeRef type) {
        return read("cannot read the schema versions", connection -> Schemas.ofType(connection, type));
    }

    @Override
    public long schemaVersion(TypeRef type) {
        return read("cannot read the schema versions", connection -> Schemas.currentVersion(connection, type));
    }

    @Override
    public long rowsOfOtherVersions(TypeRef type, long version) {
        RowQuery all = RowQuery.of(type, new Window.Latest());
        level(all);
        boolean possible = read(
                "cannot count " + type,
                connection -> Latest.mayHaveOtherVersions(connection, copies(connection, all), type, version));
        return possible ? Storage.super.rowsOfOtherVersions(type, version) : 0;
    }

    @Override
    public long versionAlerts() {
        return upkeep.versionAlerts();
    }

    @Override
    public List<TypeRef> register(Collection<? extends OntologyType> types, String runtimeId) {
        return write("cannot register types", runtimeId, connection -> {
            List<OntologyType> created = new ArrayList<>();
            Instant now = options.clock().now();
            for (OntologyType type : types) {
                if (Schemas.currentVersion(connection, type.ref()) == 0) {
                    Schemas.add(connection, type, now, runtimeId, "initial", Optional.empty());
                    created.add(type);
                }
            }
            Schemas.indexFields(connection, created);
            return created.stream().map(OntologyType::ref).toList();
        });
    }

    @Override
    public CommitResult commit(CommitRequest request) {
        CommitResult outcome = Transactions.onWriter(connections, "cannot commit", connection -> {
            Situation situation =
                    CommitWriter.begin(connection, request, options.clock(), options.lockTimeout(), foresight);
            CommitWriter writer = new CommitWriter(connection, options.clock(), upkeep);
            CommitResult result = Transactions.finish(connection, () -> {
                requireClaim(connection, request.outbox());
                CommitResult written = writer.write(request, situation);
                if (written instanceof CommitResult.Committed committed) {
                    EventRows.insert(connection, request.outbox().events(), committed.at(), options.random());
                }
                return written;
            });
            if (result instanceof CommitResult.Committed committed) {
                upkeep.committed();
                connections.noteHead(committed.commitId(), writer.digest());
                writer.next().ifPresent(next -> foresight.expect(connection, CommitWriter.anyType(request), next));
            }
            return result;
        });
        if (outcome instanceof CommitResult.Committed) {
            request.outbox().events().stream()
                    .map(NewEvent::namespace)
                    .distinct()
                    .forEach(bells::ring);
        }
        return outcome;
    }

    private void requireClaim(SqlConnection connection, Outbox outbox) throws SQLException {
        if (outbox.claim().isPresent()) {
            Claim claim = outbox.claim().get();
            if (!new ClaimRows(
                            connection, EventOptions.defaults(), options.clock().now())
                    .isLive(claim)) {
                throw new ClaimLostException(claim);
            }
        }
    }

    @Override
    public EventStore events(EventOptions eventOptions) {
        return new SqliteEvents(connections, options, eventOptions, search, bells);
    }

    @Override
    public List<Change> preview(CommitRequest request) {
        return Transactions.onWriter(connections, "cannot preview", connection -> {
            connection.begin("BEGIN IMMEDIATE");
            try {
                return Changes.preview(connection, request, options.clock());
            } finally {
                connection.rollback();
            }
        });
    }

    @Override
    public Locks locks() {
        return locks;
    }

    @Override
    public Restructured restructure(Restructuring request) {
        return write(
                "cannot change the schemas",
                request.runtimeId(),
                connection -> new Restructurer(connection, options.clock()).write(request));
    }

    @Override
    public Eraser eraser() {
        return new SqliteEraser(connections, options);
    }

    @Override
    public List<Finding> check(Progress progress) {
        List<Finding> findings = new ArrayList<>(Check.run(connections, options.clock(), progress));
        boolean broken = findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.ERROR);
        if (!broken && read("cannot check " + connections.file(), Features::hasRetractions)) {
            DanglingRelations.check(this).ifPresent(findings::add);
            findings.sort(Comparator.comparing(Finding::severity));
        }
        return List.copyOf(findings);
    }

    @Override
    public long recordDigests(String runtimeId, Progress progress) {
        return DigestChain.recordMissing(
                this::history,
                progress,
                digests -> write(
                        "cannot record digests", runtimeId, connection -> Digests.recordMissing(connection, digests)));
    }

    @Override
    public StorageInfo info(StorageInfo.Detail detail) {
        return read("cannot describe the store", connection -> Info.read(connection, connections.file(), uri, detail));
    }

    @Override
    public Stream<CommitInfo> commits(long after, OptionalLong upTo) {
        return commits(LogQuery.between(after, upTo));
    }

    @Override
    public Stream<CommitInfo> commits(LogQuery query) {
        return stream(
                "cannot read the commit log",
                connection -> Log.entries(connections.hasLatest(connection), query),
                Log::read);
    }

    @Override
    public Optional<CommitInfo> commit(long id) {
        try (Stream<CommitInfo> found = stream(
                "cannot read commit " + id,
                connection -> SqlFragment.of(Log.entries(connections.hasLatest(connection)) + " WHERE c.id = ?", id),
                Log::read)) {
            return found.findFirst();
        }
    }

    @Override
    public long commitAt(Instant moment) {
        return read("cannot read the commit log", connection -> Log.at(connection, moment));
    }

    @Override
    public Stream<Change> changes(long commitId) {
        return Stream.of(RowTable.values())
                .flatMap(table -> stream(
                        "cannot read the changes of commit " + commitId,
                        connection ->
                                SqlFragment.of(Changes.ofCommit(table, connections.hasLatest(connection)), commitId),
                        rows -> Changes.read(table, rows)));
    }

    @Override
    public Stream<StoredRow> rows(RowQuery query) {
        if (PointLookup.answers(query)) {
            return read("cannot query " + query.type(), connection -> PointLookup.find(connection, query)).stream();
        }
        level(query);
        return stream(
                "cannot query " + query.type(),
                connection -> new RowSql(query, copies(connection, query)).select(),
                rows -> readable(query, RowTable.of(query.type().kind()).readRow(connections::text, rows)));
    }

    @Override
    public Stream<Identity> identities(RowQuery query) {
        level(query);
        return stream(
                "cannot query " + query.type(),
                connection -> new RowSql(query, copies(connection, query)).identities(),
                rows -> RowTable.of(query.type().kind()).read(connections::text, rows, 1));
    }

    /** Only a history shows ends; elsewhere {@code null} is the copy of a payload that is no JSON, to be reported as such. */
    private static StoredRow readable(RowQuery query, StoredRow row) {
        return row.isEnd() && !(query.window() instanceof Window.History)
                ? new StoredRow(row.identity(), row.fieldsJson() + " ", row.commitId(), row.schemaVersion())
                : row;
    }

    @Override
    public Explanation explain(RowQuery query) {
        level(query);
        return read(
                "cannot explain the query",
                connection -> new Explainer(connection).explain(query, copies(connection, query)));
    }

    @Override
    public long count(RowQuery query) {
        level(query);
        return read("cannot count " + query.type(), connection -> {
            SqlFragment sql = new RowSql(query, copies(connection, query)).count();
            return connection.number(sql.sql(), sql.parameters().toArray()).orElse(0);
        });
    }

    @Override
    public List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        level(query.rows());
        return Sums.fastest(sums -> {
            try (Stream<Map<String, @Nullable Object>> groups = stream(
                    "cannot aggregate " + query.rows().type(),
                    connection -> new AggregateSql(query, copies(connection, query.rows()), sums).select(),
                    rows -> Aggregates.read(query, rows))) {
                return groups.toList();
            }
        });
    }

    @Override
    public StoreHistory history() {
        return PastCommits.open(connections);
    }

    @Override
    public HistoryWriter restore(String source, String runtimeId) {
        return Restorer.begin(connections, runtimeId, options.clock(), options.lockTimeout());
    }

    private Latest.Copies copies(SqlConnection connection, RowQuery query) throws SQLException {
        if (!needsLatest(query) || !connections.hasLatest(connection)) {
            return Latest.Copies.UNTRUSTED;
        }
        Latest.Copies copies = Latest.copies(connection);
        return copies == Latest.Copies.LEVEL && RowSql.needsEnded(query) && Features.hasRetractions(connection)
                ? Latest.Copies.LEVEL_WITHOUT_ENDED
                : copies;
    }

    private static boolean needsLatest(RowQuery query) {
        return query.window() instanceof Window.Latest || query.leftType().isPresent();
    }

    /** Brings the latest versions level where that is allowed; who may not write asks the history instead. */
    private void level(RowQuery query) {
        if (!connections.writable() || !needsLatest(query)) {
            return;
        }
        upkeep.asked();
        if (!read("cannot query " + query.type(), Latest::isCurrent)) {
            try {
                level("cannot query " + query.type());
            } catch (OntologiaException e) {
                // Who holds the lock may hold it for long, and the history has the answer too: no waiting here.
                if (e.kind() != ErrorKind.BUSY) {
                    throw e;
                }
            }
        }
    }

    private void level(String what) {
        Transactions.onWriter(connections, what, connection -> {
            // What is copied can be copied again: there is nothing here to wait for the disk for.
            connection.execute(
                    "PRAGMA synchronous = " + (connections.temporary() ? "OFF" : "NORMAL"),
                    "PRAGMA busy_timeout = " + connections.briefTimeout().toMillis());
            try {
                WriteLock.beginUpkeep(connection, options.clock());
                return Transactions.finish(connection, () -> {
                    boolean ours = upkeep.wroteAllSince(Position.of(connection));
                    upkeep.arrived(Latest.catchUp(connection, ours ? Latest.Writer.US : Latest.Writer.OTHERS));
                    return true;
                });
            } finally {
                connection.execute(
                        "PRAGMA synchronous = " + connections.synchronous(),
                        "PRAGMA busy_timeout = " + connections.busyTimeout().toMillis());
            }
        });
    }

    private <T> T read(String what, Transactions.Work<T> work) {
        return Transactions.onReader(connections, what, work);
    }

    private <T> T write(String what, String owner, Transactions.Work<T> work) {
        return Transactions.onWriter(connections, what, connection -> {
            WriteLock.begin(connection, owner, options.clock(), options.lockTimeout());
            T result = Transactions.finish(connection, () -> work.run(connection));
            connections.noteHead(connection);
            return result;
        });
    }

    private <T> Stream<T> stream(String what, Transactions.Work<SqlFragment> sql, RowStream.Reader<T> reader) {
        return RowStream.open(connections, what, sql, reader);
    }

    @Override
    public void close() {
        try {
            if (upkeep.leftBehind()) {
                level("cannot close " + connections.file());
            }
        } catch (OntologiaException e) {
            // Every commit is stored. Who opens the file next brings the copies level.
        } finally {
            connections.close();
        }
    }
}
