package io.ontologia.bench;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.objectstore.ObjectStores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** The nameservice: requests, contention between concerns, listings, and how soon subscribers hear. */
final class NameMeasurements {
    private static final Alias DB = Alias.parse("mydb");
    private static final Duration DISTANCE = Duration.ofMillis(60);
    private static final int WRITERS = 8;
    private static final int PUSHES = 20;
    private static final int WARM_UP = 10;

    private final Path folder;
    private final int records;
    private final Report report;

    NameMeasurements(Path folder, double scale, Report report) {
        this.folder = folder;
        this.records = (int) Math.max(500, 10_000 * scale);
        this.report = report;
    }

    void run() throws Exception {
        requests();
        contention();
        listing();
        new HearingMeasurements(report).run();
    }

    private void requests() {
        for (Layout layout : Layout.values()) {
            DistantObjects distant = new DistantObjects(Duration.ZERO);
            try (Nameservice names =
                    Nameservices.on(distant.of(ObjectStores.open("memory:")), layout, NameserviceOptions.defaults())) {
                names.create(NewRecord.ledger(DB));
                push(names, Concern.HEAD, ConcernValue.unborn(), 1);
                long before = distant.requests();
                names.lookup(DB);
                report.requests(
                        "look-up, layout " + layout,
                        (double) (distant.requests() - before),
                        layout == Layout.A ? 1 : layout == Layout.B ? 2 : 4);
                before = distant.requests();
                push(names, Concern.HEAD, value(1), 2);
                report.requests(
                        "push by who knows the current value, layout " + layout,
                        (double) (distant.requests() - before),
                        1);
            }
        }
    }

    /** Two writers take turns on each concern, so none of them conflicts with another one; what is left is the layout. */
    private void contention() throws Exception {
        double together = pushes(distant(Layout.A));
        report.faster(
                WRITERS + " writers on the four concerns of a record, 60 ms away, layout C against A",
                pushes(distant(Layout.C)),
                together,
                3);
        try (LocalDynamo dynamo = new LocalDynamo()) {
            report.faster(
                    WRITERS + " writers on the four concerns of a record, 60 ms away, DynamoDB Local against layout A",
                    pushes(dynamo.names(DISTANCE)),
                    together,
                    3);
        }
    }

    private static Nameservice distant(Layout layout) {
        return Nameservices.on(
                new DistantObjects(DISTANCE).of(ObjectStores.open("memory:")), layout, NameserviceOptions.defaults());
    }

    private static double pushes(Nameservice opened) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (Nameservice names = opened) {
            names.create(NewRecord.ledger(DB));
            List<Turn> turns = Stream.of(Concern.values())
                    .map(concern -> new Turn(names, concern))
                    .toList();
            for (int i = 0; i < WARM_UP; i++) {
                turns.forEach(Turn::take);
            }
            return Stopwatch.seconds(() -> {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    Turn turn = turns.get(i % turns.size());
                    running.add(threads.submit(() -> {
                        for (int push = 0; push < PUSHES; push++) {
                            turn.take();
                        }
                    }));
                }
                for (Future<?> one : running) {
                    one.get();
                }
            });
        } finally {
            threads.shutdownNow();
        }
    }

    /** The writers of one concern. */
    private static final class Turn {
        private final Nameservice names;
        private final Concern concern;
        private ConcernValue current;

        Turn(Nameservice names, Concern concern) {
            this.names = names;
            this.concern = concern;
            this.current = names.concern(DB, concern).orElseThrow();
        }

        synchronized void take() {
            current = push(names, concern, current, current.watermark() + 1);
        }
    }

    private static ConcernValue value(long watermark) {
        return ConcernValue.of(watermark, Map.of("state", "ready", "t", watermark));
    }

    private static ConcernValue push(Nameservice names, Concern concern, ConcernValue expected, long watermark) {
        ConcernValue next = value(watermark);
        if (!(names.push(DB, concern, expected, next) instanceof PushOutcome.Updated)) {
            throw new IllegalStateException("a conflict, where nobody else pushes this concern");
        }
        return next;
    }

    /** The floor reads the same files with plain Java, without looking into them. */
    private void listing() throws Exception {
        Path place = folder.resolve("names");
        try (Nameservice names = Nameservices.open("file://" + place)) {
            for (int i = 0; i < records; i++) {
                names.create(NewRecord.ledger(Alias.parse("ledger-" + i)));
            }
            double[] seconds = Stopwatch.medians(5, () -> list(names), () -> readAll(place));
            report.atMost("list of " + records + " records in a folder", seconds[0], seconds[1], 1.5);
        }
    }

    private void list(Nameservice names) {
        int found = 0;
        Optional<NameQuery> next = Optional.of(NameQuery.all().pageSize(NameQuery.MAX_PAGE_SIZE));
        while (next.isPresent()) {
            NameQuery asked = next.get();
            NamePage page = names.list(asked);
            found += page.records().size();
            next = page.next().map(asked::continueAt);
        }
        if (found != records) {
            throw new IllegalStateException(found + " records instead of " + records);
        }
    }

    private static void readAll(Path place) throws Exception {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".json")).toList()) {
                bytes += Files.readAllBytes(file).length;
            }
        }
        if (bytes == 0) {
            throw new IllegalStateException(
                    "nothing to read at " + Clock.system().now());
        }
    }
}
