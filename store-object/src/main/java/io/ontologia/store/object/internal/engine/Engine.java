package io.ontologia.store.object.internal.engine;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.GroupSelection;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB. Writes Parquet files, and answers queries over them and over tables of latest versions.
 *
 * <p>One for a process; safe for use by many threads. Failures are {@link io.ontologia.kernel.OntologiaException}s.
 */
public final class Engine implements AutoCloseable {
    private final EngineOptions options;
    private final FileColumns fileColumns = new FileColumns();
    private @Nullable Database files;
    private boolean closed;
    private final Map<String, SharedLatest> latest = new HashMap<>();

    /** Tables that somebody uses. */
    private static final class SharedLatest {
        private final LatestTables tables;
        private int users;

        private SharedLatest(LatestTables tables) {
            this.tables = tables;
        }
    }

    private Engine(EngineOptions options) {
        this.options = options;
    }

    /** Makes one; DuckDB itself starts with the first use, which takes about half a second for the first in a process. */
    public static Engine open(EngineOptions options) {
        CacheFolder.ensure(options.folder());
        return new Engine(options);
    }

    /** The database for work on files alone. */
    private synchronized Database files() {
        if (closed) {
            throw new OntologiaException(ErrorKind.CLOSED, "cannot ask the query engine", "it was closed", "");
        }
        Database current = files;
        if (current == null) {
            current = Database.open(options);
            files = current;
        }
        return current;
    }

    private interface Work<T> {
        T on(Database database) throws SQLException;
    }

    /** Works on files. A database that turns out to be unusable is replaced, and the work is done again. */
    private <T> T work(String problem, Work<T> work) {
        Database current = files();
        try {
            return work.on(current);
        } catch (SQLException e) {
            if (!Damage.isShownBy(e, options.folder())) {
                throw DuckErrors.wrap(problem, e);
            }
            replace(current);
        }
        try {
            return work.on(files());
        } catch (SQLException e) {
            throw DuckErrors.wrap(problem, e);
        }
    }

    private synchronized void replace(Database unusable) {
        if (files == unusable) {
            files = null;
            unusable.close();
        }
    }

    /** Which engine this is, for example {@code DuckDB v1.5.6}. */
    public String version() {
        return work("cannot ask for the engine's version", database -> {
            try (Reading reading = Reading.begin(database);
                    PreparedStatement statement =
                            Database.prepare(reading.connection(), SqlFragment.of("SELECT version()"));
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                return "DuckDB " + rows.getString(1);
            }
        });
    }

    /**
     * Writes the rows of one commit as a Parquet file, sorted by identity: the columns that every row has, then one for each
     * field of the payload.
     *
     * @param target must not exist, its folder must; when this fails there may be a part of it
     */
    public void write(Path target, long schemaVersion, long commitId, RowBatch batch) {
        work("cannot write a data file", database -> {
            try (DuckDBConnection connection = database.connect();
                    RowFunction.Loan loan = database.rows().lend(batch)) {
                Database.execute(connection, ParquetSql.write(schemaVersion, commitId, batch, loan, target));
                return target;
            }
        });
        fileColumns.learn(target, batch.fields());
    }

    /**
     * Writes all rows of some files into one: in the order of commits and then identities, with the columns of fields that
     * fit together.
     *
     * @param inCommitOrder at least one
     * @param target must not exist, its folder must; when this fails there may be a part of it
     */
    public void merge(TypeRef type, List<DataFile> inCommitOrder, Path target) {
        merge(type, inCommitOrder, Set.of(), target);
    }

    /**
     * As {@link #merge(TypeRef, List, Path)}, without some rows.
     *
     * @param without every version of these rows is left out
     */
    public void merge(TypeRef type, List<DataFile> inCommitOrder, Set<Identity> without, Path target) {
        work("cannot merge data files", database -> {
            try (DuckDBConnection connection = database.connect()) {
                new Merge(connection, fileColumns).run(type, inCommitOrder, without, target);
                return target;
            }
        });
    }

    /** Whether files have rows of a type with another schema version than the given one. */
    public boolean haveOtherVersions(TypeRef type, List<DataFile> files, long version, LatestTables latest) {
        if (files.isEmpty()) {
            return false;
        }
        return ask("cannot read data files", latest, local -> {
            String column = RowColumns.of(type.kind()).typeColumn();
            SqlFragment sql = FileList.read(files)
                    .wrap(
                            "SELECT 1 FROM ",
                            " WHERE " + column + " = " + Literals.text(type.name()) + " AND (schema_version_id <> "
                                    + version + (version == 1 ? "" : " OR schema_version_id IS NULL") + ") LIMIT 1");
            try (Reading reading = Reading.begin(local.database());
                    PreparedStatement statement = Database.prepare(reading.connection(), sql);
                    ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        });
    }

    /** A checksum of the rows in some files, whatever their order: identity, commit, schema version and fields. */
    public Checksum checksum(TypeRef type, List<DataFile> files) {
        return work("cannot read data files", database -> {
            try (DuckDBConnection connection = database.connect()) {
                return new Merge(connection, fileColumns).checksum(type, files);
            }
        });
    }

    /**
     * Reads rows, fetching a few thousand at a time. The stream sees one state of everything from here on, and holds a
     * connection until it is closed or read to its end.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public Stream<StoredRow> rows(RowQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        return rows(query, RowSql::select, sources, latest);
    }

    /**
     * The identities of rows, in any order; as {@link #rows} otherwise.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public Stream<Identity> identities(RowQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        return rows(query, RowSql::identities, sources, latest).map(StoredRow::identity);
    }

    private Stream<StoredRow> rows(
            RowQuery query,
            Function<RowSql, SqlFragment> select,
            Function<TypeRef, Source> sources,
            LatestTables latest) {
        if (query.restriction().isPresent()) {
            latest.countLookUp(query.type());
        }
        return ask("cannot read rows", latest, local -> {
            Reading reading = Reading.begin(local.database());
            boolean opened = false;
            try {
                SqlFragment sql = select.apply(new RowSql(query, resolver(local, reading, sources), Set.of()));
                PreparedStatement statement = Database.prepare(reading.connection(), sql);
                Stream<StoredRow> rows =
                        RowStream.open(reading, RowColumns.of(query.type().kind()), statement);
                opened = true;
                return rows;
            } finally {
                if (!opened) {
                    reading.close();
                }
            }
        });
    }

    private static <T> T ask(String problem, LatestTables latest, LatestTables.Question<T> question) {
        try {
            return latest.ask(question);
        } catch (SQLException e) {
            throw DuckErrors.wrap(problem, e);
        }
    }

    /**
     * How many rows a query has, its limit and offset aside.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public long count(RowQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        return ask("cannot count rows", latest, local -> {
            try (Reading reading = Reading.begin(local.database())) {
                SqlFragment sql = new RowSql(query, resolver(local, reading, sources), Set.of()).count();
                try (PreparedStatement statement = Database.prepare(reading.connection(), sql);
                        ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    return rows.getLong(1);
                }
            }
        });
    }

    /**
     * Computes values over rows: one map for each group, in the order of the groups' values.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public List<Map<String, @Nullable Object>> aggregate(
            AggregateQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        return ask("cannot aggregate rows", latest, local -> {
            try {
                return aggregate(query, Sums.OF_128_BITS, local, sources);
            } catch (SQLException e) {
                if (!Sums.OF_128_BITS.isExceededBy(e)) {
                    throw e;
                }
                List<Map<String, @Nullable Object>> all =
                        aggregate(query.ofAllGroups(), Sums.OF_ANY_SIZE, local, sources);
                return GroupSelection.of(query, all.stream());
            }
        });
    }

    private List<Map<String, @Nullable Object>> aggregate(
            AggregateQuery query, Sums sums, LocalDatabase local, Function<TypeRef, Source> sources)
            throws SQLException {
        try (Reading reading = Reading.begin(local.database())) {
            SqlFragment sql = new AggregateSql(query, sums, resolver(local, reading, sources)).select();
            try (PreparedStatement statement = Database.prepare(reading.connection(), sql);
                    ResultSet rows = statement.executeQuery()) {
                List<Map<String, @Nullable Object>> groups = new ArrayList<>();
                while (rows.next()) {
                    groups.add(Aggregates.read(query, rows));
                }
                return groups;
            }
        }
    }

    /**
     * How a query is answered.
     *
     * @param text in the words of DuckDB
     * @param typed the paths of its filter and order that have columns of their own
     */
    public record Plan(String text, Set<FieldPath> typed) {}

    /**
     * How DuckDB would read the rows of a query.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public Plan explain(RowQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        return ask("cannot explain the query", latest, local -> {
            try (Reading reading = Reading.begin(local.database())) {
                RowSql sql = new RowSql(query, resolver(local, reading, sources), Set.of());
                String text = explain(reading, sql.select());
                return new Plan(text, sql.typed());
            }
        });
    }

    /**
     * How DuckDB would compute an aggregation, in its own words.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public String explain(AggregateQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        return ask("cannot explain the query", latest, local -> {
            try (Reading reading = Reading.begin(local.database())) {
                return explain(
                        reading, new AggregateSql(query, Sums.OF_128_BITS, resolver(local, reading, sources)).select());
            }
        });
    }

    private static String explain(Reading reading, SqlFragment sql) throws SQLException {
        try (PreparedStatement statement = Database.prepare(reading.connection(), sql.wrap("EXPLAIN ", ""));
                ResultSet rows = statement.executeQuery()) {
            StringBuilder plan = new StringBuilder();
            while (rows.next()) {
                plan.append(rows.getString(2));
            }
            return plan.toString();
        }
    }

    /**
     * The tables of latest versions of one store, in a file of this process in the engine's folder. Whoever asks for the same
     * store gets the same ones; each closes what it got.
     */
    public LatestTables latest(String storeId) {
        return tables(Extent.LATEST, storeId);
    }

    /** The tables of all versions of one store, which answer questions about the past of a few keys; shared and closed likewise. */
    public LatestTables versions(String storeId) {
        return tables(Extent.ALL, storeId);
    }

    private LatestTables tables(Extent extent, String storeId) {
        synchronized (latest) {
            SharedLatest shared = latest.computeIfAbsent(
                    extent.prefix() + " " + storeId,
                    id -> new SharedLatest(new LatestTables(
                            onNewTable -> LocalDatabase.open(options, extent, storeId, fileColumns, onNewTable),
                            options.folder(),
                            () -> letGo(id))));
            shared.users++;
            return shared.tables;
        }
    }

    private void letGo(String id) {
        synchronized (latest) {
            SharedLatest shared = latest.get(id);
            if (shared != null && --shared.users == 0) {
                latest.remove(id);
                shared.tables.detach();
            }
        }
    }

    private Function<TypeRef, RowSource> resolver(
            LocalDatabase local, Reading reading, Function<TypeRef, Source> sources) {
        return type -> {
            Source source = sources.apply(type);
            return source instanceof Source.Files some
                    ? new FileRows(reading.connection(), type, some.files(), fileColumns, some.ends())
                    : LatestLookUp.rows(local, reading, type, ((Source.Table) source).commitId());
        };
    }

    /** Stops it, and lets go of all tables of latest versions. Streams that are still open fail. */
    @Override
    public void close() {
        synchronized (latest) {
            latest.values().forEach(shared -> shared.tables.detach());
            latest.clear();
        }
        synchronized (this) {
            closed = true;
            if (files != null) {
                files.close();
                files = null;
            }
        }
    }
}
