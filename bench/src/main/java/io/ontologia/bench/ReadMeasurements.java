package io.ontologia.bench;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Filter;
import io.ontologia.core.Query;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Look-ups, latest state, filters, the past and end filters, over several versions of each key. */
final class ReadMeasurements {
    private static final String SPEC_LATEST = """
            SELECT eh.entity_key, eh.fields_json, eh.commit_id FROM entity_history eh
            INNER JOIN (SELECT entity_key, MAX(commit_id) AS max_cid FROM entity_history
                WHERE entity_type = 'Customer' %s GROUP BY entity_key) latest
              ON eh.entity_key = latest.entity_key AND eh.commit_id = latest.max_cid
            WHERE eh.entity_type = 'Customer'""";
    private static final String SPEC_POINT = """
            SELECT fields_json, commit_id FROM entity_history WHERE entity_type = 'Customer' AND entity_key = ?
            ORDER BY commit_id DESC LIMIT 1""";
    private static final String BY_HAND = """
            SELECT json_extract(fields_json, '$.tier'), count(*), avg(json_extract(fields_json, '$.balance'))
            FROM onto_entity_latest WHERE entity_type = 'Customer' GROUP BY 1 ORDER BY 1""";
    private static final int COMMITS_PER_VERSION = 100;
    private static final int LOOKUPS = 50_000;
    private static final int KEY_LOOKUPS = 20_000;

    private final Path folder;
    private final int keys;
    private final Report report;

    ReadMeasurements(Path folder, double scale, Report report) {
        this.folder = folder;
        this.keys = (int) (1_000_000 * scale);
        this.report = report;
    }

    void run() throws Exception {
        Path file = load(5);
        try (RawSqlite raw = new RawSqlite(file, "FULL");
                Session session = RawSqlite.session(file, SessionOptions.defaults())) {
            unmapped(raw, file);
            points(raw, session);
            new KeyMeasurements(keys, KEY_LOOKUPS, report).run(session);
            double[] latest = Stopwatch.medians(
                    3, () -> expect(raw.fetch(SPEC_LATEST.formatted("")), keys), () -> expect(rows(session), keys));
            report.faster("latest state of " + keys + " keys x 5 versions", latest[1], latest[0], 8);
            double hydrated = Stopwatch.median(3, () -> expect(count(session.entities(Customer.class)), keys));
            System.err.printf("hydrated into records: %.2f s%n", hydrated);
            filters(raw, session);
            asOf(raw, session);
            groups(raw, session);
            relations(raw, session);
        }
        versions();
    }

    /** Fills the specification's tables by plain SQL: the versions of a key are spread over as many commits. */
    private Path load(int versions) throws Exception {
        Path file = folder.resolve("read-" + versions + ".db");
        try (RawSqlite raw = new RawSqlite(file, "OFF");
                PreparedStatement insert = raw.prepare(RawSqlite.INSERT_ROW)) {
            for (int version = 1; version <= versions; version++) {
                for (int part = 0; part < COMMITS_PER_VERSION; part++) {
                    long commit = raw.newCommit();
                    for (int number = part; number < keys; number += COMMITS_PER_VERSION) {
                        Customer customer = Customer.of(number, version);
                        insert.setString(1, customer.id());
                        insert.setString(2, WriteMeasurements.json(customer));
                        insert.setLong(3, commit);
                        insert.addBatch();
                    }
                    insert.executeBatch();
                    raw.commit();
                }
            }
        }
        return file;
    }

    private void versions() throws Exception {
        try (Session one = RawSqlite.session(load(1), SessionOptions.defaults());
                Session ten = RawSqlite.session(load(10), SessionOptions.defaults())) {
            double[] seconds = Stopwatch.medians(3, () -> expect(rows(one), keys), () -> expect(rows(ten), keys));
            report.atMost("latest state with 10 versions against 1", seconds[1], seconds[0], 1.3);
        }
    }

    private void points(RawSqlite raw, Session session) throws Exception {
        Stopwatch.Work floor = () -> lookUp(raw);
        Stopwatch.Work ours = () -> {
            SplittableRandom random = new SplittableRandom(7);
            for (int i = 0; i < LOOKUPS; i++) {
                RowQuery query = RowQuery.of(TypeRef.entity("Customer"), new Window.Latest())
                        .restrictedTo(new RowQuery.Restriction(
                                RowQuery.Restriction.Part.KEY, java.util.List.of(Customer.key(random.nextInt(keys)))));
                try (var rows = session.storage().rows(query)) {
                    expect(rows.count(), 1);
                }
            }
        };
        double[] seconds = Stopwatch.medians(5, floor, ours);
        report.atMost("look-up of one key, " + LOOKUPS + " times", seconds[1], seconds[0], 1.5);
    }

    private void lookUp(RawSqlite raw) throws Exception {
        SplittableRandom random = new SplittableRandom(7);
        try (PreparedStatement query = raw.prepare(SPEC_POINT)) {
            for (int i = 0; i < LOOKUPS; i++) {
                query.setString(1, Customer.key(random.nextInt(keys)));
                try (ResultSet rows = query.executeQuery()) {
                    expect(rows.next() && !rows.getString(1).isEmpty() ? 1 : 0, 1);
                }
            }
        }
    }

    /** What it costs not to map the file, with plain JDBC: for information. */
    private void unmapped(RawSqlite raw, Path file) throws Exception {
        try (RawSqlite mapped = new RawSqlite(file, "FULL", 2L << 30)) {
            double[] points = Stopwatch.medians(5, () -> lookUp(mapped), () -> lookUp(raw));
            System.err.printf(
                    "floor of a look-up without a mapped file against one with: %.2fx%n", points[1] / points[0]);
            String latest = SPEC_LATEST.formatted("");
            double[] scans = Stopwatch.medians(
                    3, () -> expect(mapped.fetch(latest), keys), () -> expect(raw.fetch(latest), keys));
            System.err.printf(
                    "floor of the latest state without a mapped file against one with: %.2fx%n", scans[1] / scans[0]);
        }
    }

    private void filters(RawSqlite raw, Session session) throws Exception {
        String json = SPEC_LATEST.formatted("")
                + " AND json_extract(eh.fields_json, '$.tier') = ? AND json_extract(eh.fields_json, '$.balance') > ?";
        long[] found = new long[1];
        Filter rich =
                field(Customer::tier).eq("Gold").and(field(Customer::balance).gt(99_000.0));
        double[] seconds = Stopwatch.medians(
                3,
                () -> found[0] = raw.fetch(json, "Gold", 99_000.0),
                () -> expect(count(session.entities(Customer.class).where(rich)), found[0]));
        report.faster(
                "latest state with a JSON filter (%.2f %%)".formatted(found[0] * 100.0 / keys),
                seconds[1],
                seconds[0],
                10);

        String indexed = SPEC_LATEST.formatted("") + " AND json_extract(eh.fields_json, '$.visits') = ?";
        Filter visits = field(Customer::visits).eq(777L);
        double[] indexedSeconds = Stopwatch.medians(
                3,
                () -> found[0] = raw.fetch(indexed, 777),
                () -> expect(count(session.entities(Customer.class).where(visits)), found[0]));
        report.faster(
                "latest state with an indexed field (%.2f %%)".formatted(found[0] * 100.0 / keys),
                indexedSeconds[1],
                indexedSeconds[0],
                300);
    }

    private void asOf(RawSqlite raw, Session session) throws Exception {
        long middle = 2L * COMMITS_PER_VERSION + COMMITS_PER_VERSION / 2;
        String spec = SPEC_LATEST.formatted("AND commit_id <= " + middle);
        RowQuery query = RowQuery.of(TypeRef.entity("Customer"), new Window.AsOf(middle));
        double[] seconds = Stopwatch.medians(3, () -> expect(raw.fetch(spec), keys), () -> {
            try (var rows = session.storage().rows(query)) {
                expect(rows.count(), keys);
            }
        });
        report.faster("as of the middle of history, all keys", seconds[1], seconds[0], 2.5);
    }

    /** The floor is the shortest query over the same table, which takes every value for a text or number. */
    private void groups(RawSqlite raw, Session session) throws Exception {
        raw.commit(); // ends the snapshot that it still reads from
        Query<Customer> query = session.entities(Customer.class).groupBy(field(Customer::tier));
        long[] found = new long[1];
        double[] seconds = Stopwatch.medians(
                5,
                () -> found[0] = raw.fetch(BY_HAND),
                () -> expect(
                        query.aggregate(Aggregate.count("n"), Aggregate.avg("balance", field(Customer::balance)))
                                .size(),
                        found[0]));
        report.atMost("count and mean of " + keys + " rows by a field, against SQL by hand", seconds[1], seconds[0], 2);
    }

    private void relations(RawSqlite raw, Session session) throws Exception {
        int relations = Math.max(100, keys / 20);
        session.ensure(new Product("p1", "Analytics"));
        session.commit();
        for (int start = 0; start < relations; start += 10_000) {
            for (int i = start; i < Math.min(relations, start + 10_000); i++) {
                session.ensure(new Subscription(Customer.key((int) (i * 21L % keys)), "p1", i % 50));
            }
            session.commit();
        }
        String spec = """
                SELECT rh.left_key, rh.fields_json, rh.commit_id FROM relation_history rh
                INNER JOIN (SELECT left_key, right_key, instance_key, MAX(commit_id) AS max_cid FROM relation_history
                    WHERE relation_type = 'Subscription' GROUP BY left_key, right_key, instance_key) latest
                  ON rh.left_key = latest.left_key AND rh.right_key = latest.right_key
                    AND rh.instance_key = latest.instance_key AND rh.commit_id = latest.max_cid
                WHERE rh.relation_type = 'Subscription' AND EXISTS (SELECT 1 FROM entity_history le
                    INNER JOIN (SELECT entity_key, MAX(commit_id) AS max_cid FROM entity_history
                        WHERE entity_type = 'Customer' GROUP BY entity_key) le_latest
                      ON le.entity_key = le_latest.entity_key AND le.commit_id = le_latest.max_cid
                    WHERE le.entity_type = 'Customer' AND le.entity_key = rh.left_key
                      AND json_extract(le.fields_json, '$.tier') = ?)""";
        long[] found = new long[1];
        raw.commit(); // ends the snapshot that it still reads from
        Filter gold = left(Customer::tier).eq("Gold");
        double[] seconds = Stopwatch.medians(
                3,
                () -> found[0] = raw.fetch(spec, "Gold"),
                () -> expect(count(session.relations(Subscription.class).where(gold)), found[0]));
        report.faster(relations + " relations with an end filter", seconds[1], seconds[0], 3);
    }

    private static long rows(Session session) {
        try (var rows = session.storage().rows(RowQuery.of(TypeRef.entity("Customer"), new Window.Latest()))) {
            return rows.filter(row -> !row.fieldsJson().isEmpty()).count();
        }
    }

    private static long count(Query<?> query) {
        try (Stream<?> all = query.stream()) {
            return all.filter(value -> value != null).count();
        }
    }

    private static void expect(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("found " + found + " instead of " + expected);
        }
    }
}
