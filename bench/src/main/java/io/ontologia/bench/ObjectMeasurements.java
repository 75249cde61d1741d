package io.ontologia.bench;

import static io.ontologia.core.Fields.field;

import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** The store on objects, in a folder on this machine: ingest, the latest state over many files, look-ups, compaction. */
final class ObjectMeasurements {
    private static final int BATCH = 10_000;
    private static final int VERSIONS = 5;
    private static final int SMALL_COMMITS = 1_000;
    private static final int FIRST_QUERIES = 5;
    private static final int KEY_LOOKUPS = 1_000;
    private static final double POINT_GOAL_SECONDS = 0.002;

    private final Path folder;
    private final int entities;
    private final Report report;

    ObjectMeasurements(Path folder, double scale, Report report) {
        this.folder = folder;
        this.entities = (int) Math.max(BATCH, 1_000_000 * scale);
        this.report = report;
    }

    void run() throws Exception {
        ingest();
        manyFiles();
        manySmallCommits();
    }

    private SessionOptions options(String cache) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults()
                        .settings(Map.of("cache_dir", folder.resolve(cache).toString())));
    }

    private Session open(String store, String cache) {
        return Ontologia.open(folder.resolve(store).toUri().toString(), options(cache), Customer.class);
    }

    /** The floor writes the same rows, in the same portions, as DuckDB writes them best from Java without our code. */
    private void ingest() throws Exception {
        Path raw = Files.createDirectories(folder.resolve("raw"));
        try (DuckDBConnection duckdb = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
                Session session = open("ingest", "cache-ingest")) {
            double[] seconds = Stopwatch.inTurns(
                    0,
                    entities,
                    BATCH,
                    (first, count) -> {
                        for (int i = first; i < first + count; i++) {
                            session.ensure(Customer.of(i, 1));
                        }
                        session.commit();
                    },
                    (first, count) -> rawFile(duckdb, raw.resolve(first + ".parquet"), first, count));
            report.atMost("ingest of " + entities + " entities in commits of " + BATCH, seconds[0], seconds[1], 3.0);
        }
    }

    private static void rawFile(DuckDBConnection duckdb, Path file, int first, int count) throws SQLException {
        try (Statement statement = duckdb.createStatement()) {
            statement.execute("CREATE OR REPLACE TABLE rows (commit_id BIGINT, entity_type VARCHAR, entity_key VARCHAR,"
                    + " schema_version_id BIGINT, fields_json VARCHAR, active BOOLEAN, balance DOUBLE, city VARCHAR,"
                    + " id VARCHAR, name VARCHAR, note VARCHAR, tier VARCHAR, visits BIGINT)");
            try (DuckDBAppender rows = duckdb.createAppender(DuckDBConnection.DEFAULT_SCHEMA, "rows")) {
                for (int i = first; i < first + count; i++) {
                    Customer one = Customer.of(i, 1);
                    rows.beginRow();
                    rows.append(1L);
                    rows.append("Customer");
                    rows.append(one.id());
                    rows.append(1L);
                    rows.append(WriteMeasurements.json(one));
                    rows.append(one.active());
                    rows.append(one.balance());
                    rows.append(one.city());
                    rows.append(one.id());
                    rows.append(one.name());
                    rows.append(one.note());
                    rows.append(one.tier());
                    rows.append(one.visits());
                    rows.endRow();
                }
            }
            statement.execute("COPY rows TO '" + file + "' (FORMAT parquet, COMPRESSION zstd)");
        }
    }

    /** Five versions of every key, spread over many files; the floor is the best query over those files. */
    private void manyFiles() throws Exception {
        int perCommit = Math.max(1, entities * VERSIONS / 1_000);
        try (Session session = open("many", "cache-writer")) {
            for (int version = 1; version <= VERSIONS; version++) {
                for (int start = 0; start < entities; start += perCommit) {
                    for (int i = start; i < Math.min(entities, start + perCommit); i++) {
                        session.ensure(Customer.of(i, version));
                    }
                    session.commit();
                }
            }
        }
        List<Path> files = parquetFiles(folder.resolve("many"));
        String sql = latest(files);
        try (Connection duckdb = limited()) {
            // So that the operating system has read the files for both.
            ask(duckdb, sql);
        }
        // An engine that was just started, as ours is: one that has seen the files before keeps much of them.
        double floor;
        try (Connection duckdb = limited()) {
            floor = Stopwatch.seconds(() -> ask(duckdb, sql));
        }
        try (Session session = open("many", "cache-cold")) {
            double cold = Stopwatch.seconds(
                    () -> expect(session.entities(Customer.class).count(), entities));
            report.atMost(
                    "first query of the latest state, " + files.size() + " files, within 256 MB", cold, floor, 1.3);
            double warm = Stopwatch.median(
                    5, () -> expect(session.entities(Customer.class).count(), entities));
            report.faster("latest state, warm", warm, floor, 20);
            double filtered = Stopwatch.median(
                    5,
                    () -> session.entities(Customer.class)
                            .where(field(Customer::tier).eq("Gold"))
                            .count());
            report.faster("latest state with a filter on a field, warm", filtered, floor, 20);
            double[] times = new double[1_000];
            for (int i = 0; i < times.length; i++) {
                String key = Customer.of((int) ((i * 7_919L) % entities), 1).id();
                times[i] = Stopwatch.seconds(() ->
                        expect(session.find(Customer.class, key).stream().count(), 1));
            }
            java.util.Arrays.sort(times);
            report.atMost("look-up of one key, median, against 2 ms", times[500], POINT_GOAL_SECONDS, 1.0);
            new KeyMeasurements(entities, KEY_LOOKUPS, report).run(session);
        }
    }

    private void manySmallCommits() throws Exception {
        try (Session session = open("small", "cache-small")) {
            for (int i = 0; i < SMALL_COMMITS; i++) {
                session.ensure(Customer.of(i % 100, i));
                session.commit();
            }
        }
        double before = firstQuery("cache-before");
        try (var maintenance =
                Ontologia.maintain(folder.resolve("small").toUri().toString(), options("cache-small"))) {
            Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
            upkeep.compact(Optional.empty(), "bench", Progress.none());
            report.count(
                    "files of the type after " + SMALL_COMMITS + " commits of one row, compacted",
                    upkeep.verifyIndices().get(0).files(),
                    15);
        }
        double after = firstQuery("cache-after");
        report.faster("first query after " + SMALL_COMMITS + " commits of one row, compacted", after, before, 20);
    }

    /** The middle one of several, each with an empty cache and an engine of its own. */
    private double firstQuery(String cache) throws Exception {
        double[] seconds = new double[FIRST_QUERIES];
        for (int i = 0; i < seconds.length; i++) {
            try (Session session = open("small", cache + i)) {
                seconds[i] =
                        Stopwatch.seconds(() -> session.entities(Customer.class).count());
            }
        }
        Arrays.sort(seconds);
        return seconds[seconds.length / 2];
    }

    private static void expect(long actual, long wanted) {
        if (actual != wanted) {
            throw new IllegalStateException(actual + " rows instead of " + wanted);
        }
    }

    private static Connection limited() throws SQLException {
        Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duckdb.createStatement()) {
            statement.execute("SET memory_limit = '256MB'");
        }
        return duckdb;
    }

    private static String latest(List<Path> files) {
        String list = files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ", "[", "]"));
        String rows = "read_parquet(" + list + ", union_by_name = true)";
        return "SELECT count(*) FROM " + rows
                + " WHERE (entity_key, commit_id) IN (SELECT entity_key, max(commit_id) FROM " + rows
                + " GROUP BY entity_key)";
    }

    private static void ask(Connection duckdb, String sql) throws SQLException {
        try (PreparedStatement statement = duckdb.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            rows.next();
        }
    }

    private static List<Path> parquetFiles(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains(".parquet"))
                    .toList();
        }
    }
}
