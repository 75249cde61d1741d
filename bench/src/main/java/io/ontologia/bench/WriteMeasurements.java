package io.ontologia.bench;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageOptions.Durability;
import io.ontologia.kernel.CanonicalJson;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Ingest, new versions, unchanged rows and small commits. */
final class WriteMeasurements {
    private static final int BATCH = 10_000;
    private static final int SMALL_PART = 250;

    private final Path folder;
    private final int entities;
    private final int smallCommits;
    private final Report report;

    WriteMeasurements(Path folder, double scale, Report report) {
        this.folder = folder;
        this.entities = (int) (1_000_000 * scale);
        this.smallCommits = (int) Math.max(10_000, 20_000 * scale);
        this.report = report;
    }

    void run() throws Exception {
        ingest(Math.min(entities, 50_000), "warm-up", new Report(0));
        ingest(entities, "full", report);
        oneRowCommits(Durability.POWER_LOSS, "FULL");
        oneRowCommits(Durability.PROCESS_CRASH, "NORMAL");
    }

    private void ingest(int count, String name, Report target) throws Exception {
        int[] shuffled = shuffled(count / 2);
        try (RawSqlite raw = new RawSqlite(folder.resolve(name + "-raw.db"), "FULL");
                Session session = RawSqlite.session(folder.resolve(name + "-ours.db"), SessionOptions.defaults())) {
            double[] first = Stopwatch.inTurns(
                    0,
                    count,
                    BATCH,
                    (from, size) -> rawIngest(raw, from, size, null, 1),
                    (from, size) -> ingest(session, from, size, null, 1));
            first[1] += Stopwatch.seconds(() -> bringLevel(session));
            target.atMost("ingest of " + count + " entities in commits of " + BATCH, first[1], first[0], 2.5);
            double again = Stopwatch.seconds(() -> {
                for (int start = 0; start < count; start += BATCH) {
                    ingest(session, start, Math.min(BATCH, count - start), null, 1);
                }
            });
            target.atMost("the same again, unchanged, against its ingest", again, first[1], 1.0);
            double[] second = Stopwatch.inTurns(
                    0,
                    shuffled.length,
                    BATCH,
                    (from, size) -> rawIngest(raw, from, size, shuffled, 2),
                    (from, size) -> ingest(session, from, size, shuffled, 2));
            second[1] += Stopwatch.seconds(() -> bringLevel(session));
            target.atMost("second version of " + shuffled.length + " in random order", second[1], second[0], 2.5);
            if (session.head() != commits(count) + commits(shuffled.length)) {
                throw new IllegalStateException("unexpected head " + session.head());
            }
        }
    }

    /** What commits leave for the next query is a part of what they cost. */
    private static void bringLevel(Session session) {
        session.entities(Customer.class).first();
    }

    private static long commits(int rows) {
        return (rows + BATCH - 1L) / BATCH;
    }

    private static int[] shuffled(int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = 2 * i;
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swap = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = swap;
        }
        return numbers;
    }

    private static void rawIngest(RawSqlite raw, int first, int count, int @Nullable [] order, int version)
            throws Exception {
        try (PreparedStatement insert = raw.prepare(RawSqlite.INSERT_ROW)) {
            long commit = raw.newCommit();
            for (int i = first; i < first + count; i++) {
                Customer customer = Customer.of(order == null ? i : order[i], version);
                insert.setString(1, customer.id());
                insert.setString(2, json(customer));
                insert.setLong(3, commit);
                insert.addBatch();
            }
            insert.executeBatch();
            raw.commit();
        }
    }

    static String json(Customer customer) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("active", customer.active());
        fields.put("balance", customer.balance());
        fields.put("city", customer.city());
        fields.put("id", customer.id());
        fields.put("name", customer.name());
        fields.put("note", customer.note());
        fields.put("tier", customer.tier());
        fields.put("visits", customer.visits());
        return CanonicalJson.write(fields);
    }

    private static void ingest(Session session, int first, int count, int @Nullable [] order, int version) {
        for (int i = first; i < first + count; i++) {
            session.ensure(Customer.of(order == null ? i : order[i], version));
        }
        session.commit();
    }

    private void oneRowCommits(Durability durability, String synchronous) throws Exception {
        StorageOptions storage = StorageOptions.defaults().durability(durability);
        try (RawSqlite raw = new RawSqlite(folder.resolve("small-raw-" + synchronous + ".db"), synchronous);
                Session session = RawSqlite.session(
                        folder.resolve("small-ours-" + synchronous + ".db"),
                        SessionOptions.defaults().storage(storage))) {
            Stopwatch.Part floor = (from, size) -> rawSmallCommits(raw, from, size);
            Stopwatch.Part ours = (from, size) -> smallCommits(session, from, size);
            Stopwatch.inTurns(0, smallCommits, SMALL_PART, floor, ours);
            double[] seconds = Stopwatch.inTurns(smallCommits, smallCommits, SMALL_PART, floor, ours);
            seconds[1] += Stopwatch.seconds(() -> bringLevel(session));
            report.atMost("commits of one row, synchronous=" + synchronous, seconds[1], seconds[0], 1.4);
        }
    }

    private static void rawSmallCommits(RawSqlite raw, int first, int count) throws Exception {
        try (PreparedStatement insert = raw.prepare(RawSqlite.INSERT_ROW);
                PreparedStatement commit = raw.prepare(RawSqlite.INSERT_COMMIT)) {
            for (int i = first; i < first + count; i++) {
                commit.setString(1, RawSqlite.NOW);
                long id;
                try (var rows = commit.executeQuery()) {
                    rows.next();
                    id = rows.getLong(1);
                }
                Customer customer = Customer.of(i, 1);
                insert.setString(1, customer.id());
                insert.setString(2, json(customer));
                insert.setLong(3, id);
                insert.executeUpdate();
                raw.commit();
            }
        }
    }

    private static void smallCommits(Session session, int first, int count) {
        for (int i = first; i < first + count; i++) {
            session.ensure(Customer.of(i, 1));
            if (!(session.commit() instanceof CommitResult.Committed)) {
                throw new IllegalStateException("nothing was committed");
            }
        }
    }
}
