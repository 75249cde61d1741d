package io.ontologia.store.object.internal.engine;

import io.ontologia.core.FieldPath;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.StoredRow;
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
    private final Database database;
    private final FileColumns fileColumns;
    private final Path folder;
    private final Map<String, SharedLatest> latest = new HashMap<>();

    /** Tables that somebody uses. */
    private static final class SharedLatest {
        private final LatestTables tables;
        private int users;

        private SharedLatest(LatestTables tables) {
            this.tables = tables;
        }
    }

    private Engine(Database database, Path folder) {
        this.database = database;
        this.folder = folder;
        this.fileColumns = new FileColumns(database);
    }

    /** Starts it. The first start in a process takes about half a second. */
    public static Engine open(EngineOptions options) {
        return new Engine(Database.open(options), options.folder());
    }

    /** Which engine this is, for example {@code DuckDB v1.5.6}. */
    public String version() {
        try (Reading reading = Reading.begin(database);
                PreparedStatement statement =
                        Database.prepare(reading.connection(), SqlFragment.of("SELECT version()"));
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return "DuckDB " + rows.getString(1);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot ask for the engine's version", e);
        }
    }

    /**
     * Writes the rows of one commit as a Parquet file, sorted by identity: the columns that every row has, then one for each
     * field of the payload.
     *
     * @param target must not exist, its folder must; when this fails there may be a part of it
     */
    public void write(Path target, long schemaVersion, long commitId, RowBatch batch) {
        try (DuckDBConnection connection = database.connect();
                RowFunction.Loan loan = database.rows().lend(batch)) {
            Database.execute(connection, ParquetSql.write(schemaVersion, commitId, batch, loan, target));
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot write a data file", e);
        }
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
        try (DuckDBConnection connection = database.connect()) {
            new Merge(connection, fileColumns).run(type, inCommitOrder, target);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot merge data files", e);
        }
    }

    /** A checksum of the rows in some files, whatever their order: identity, commit, schema version and fields. */
    public Checksum checksum(TypeRef type, List<DataFile> files) {
        try (DuckDBConnection connection = database.connect()) {
            return new Merge(connection, fileColumns).checksum(type, files);
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read data files", e);
        }
    }

    /**
     * Reads rows, fetching a few thousand at a time. The stream sees one state of everything from here on, and holds a
     * connection until it is closed or read to its end.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public Stream<StoredRow> rows(RowQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        if (query.restriction().isPresent()) {
            latest.countLookUp(query.type());
        }
        Reading reading = Reading.begin(database);
        boolean opened = false;
        try {
            SqlFragment sql = new RowSql(query, resolver(reading, sources, latest), Set.of()).select();
            PreparedStatement statement = Database.prepare(reading.connection(), sql);
            Stream<StoredRow> rows =
                    RowStream.open(reading, RowColumns.of(query.type().kind()), statement);
            opened = true;
            return rows;
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read rows", e);
        } finally {
            if (!opened) {
                reading.close();
            }
        }
    }

    /**
     * How many rows a query has, its limit and offset aside.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public long count(RowQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        try (Reading reading = Reading.begin(database)) {
            SqlFragment sql = new RowSql(query, resolver(reading, sources, latest), Set.of()).count();
            try (PreparedStatement statement = Database.prepare(reading.connection(), sql);
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot count rows", e);
        }
    }

    /**
     * Computes values over rows: one map for each group, in the order of the groups' values.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public List<Map<String, @Nullable Object>> aggregate(
            AggregateQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        try (Reading reading = Reading.begin(database)) {
            SqlFragment sql = new AggregateSql(query, resolver(reading, sources, latest)).select();
            try (PreparedStatement statement = Database.prepare(reading.connection(), sql);
                    ResultSet rows = statement.executeQuery()) {
                List<Map<String, @Nullable Object>> groups = new ArrayList<>();
                while (rows.next()) {
                    groups.add(Aggregates.read(query, rows));
                }
                return groups;
            }
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot aggregate rows", e);
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
        try (Reading reading = Reading.begin(database)) {
            RowSql sql = new RowSql(query, resolver(reading, sources, latest), Set.of());
            String text = explain(reading, sql.select());
            return new Plan(text, sql.typed());
        }
    }

    /**
     * How DuckDB would compute an aggregation, in its own words.
     *
     * @throws StaleLatestException when a table of latest versions does not stand where its source says
     */
    public String explain(AggregateQuery query, Function<TypeRef, Source> sources, LatestTables latest) {
        try (Reading reading = Reading.begin(database)) {
            return explain(reading, new AggregateSql(query, resolver(reading, sources, latest)).select());
        }
    }

    private static String explain(Reading reading, SqlFragment sql) {
        try (PreparedStatement statement = Database.prepare(reading.connection(), sql.wrap("EXPLAIN ", ""));
                ResultSet rows = statement.executeQuery()) {
            StringBuilder plan = new StringBuilder();
            while (rows.next()) {
                plan.append(rows.getString(2));
            }
            return plan.toString();
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot explain the query", e);
        }
    }

    /**
     * The tables of latest versions of one store, in a file of this process in the engine's folder. Whoever asks for the same
     * store gets the same ones; each closes what it got.
     */
    public LatestTables latest(String storeId) {
        synchronized (latest) {
            SharedLatest shared = latest.computeIfAbsent(
                    storeId,
                    id -> new SharedLatest(new LatestTables(
                            database, LatestFile.attach(database, folder, id), fileColumns, () -> letGo(id))));
            shared.users++;
            return shared.tables;
        }
    }

    private void letGo(String storeId) {
        synchronized (latest) {
            SharedLatest shared = latest.get(storeId);
            if (shared != null && --shared.users == 0) {
                latest.remove(storeId);
                shared.tables.detach();
            }
        }
    }

    private Function<TypeRef, RowSource> resolver(
            Reading reading, Function<TypeRef, Source> sources, LatestTables latest) {
        return type -> {
            Source source = sources.apply(type);
            return source instanceof Source.Files files
                    ? new FileRows(RowColumns.of(type.kind()), files.files(), fileColumns)
                    : latest.rows(reading, type, ((Source.Latest) source).commitId());
        };
    }

    /** Stops it, and lets go of all tables of latest versions. Streams that are still open fail. */
    @Override
    public void close() {
        synchronized (latest) {
            latest.values().forEach(shared -> shared.tables.detach());
            latest.clear();
        }
        database.close();
    }
}
