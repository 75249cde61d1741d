package io.ontologia.bench;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.store.object.internal.OpenStores;
import io.ontologia.store.object.internal.Threads;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** The event bus: how many events a second SQLite takes, how soon a worker wakes up, and how many requests a poll on objects costs. */
final class EventMeasurements {
    private static final int THREADS = 2;
    private static final int BATCH = 100;
    private static final int PART = 20 * BATCH;
    private static final int RETAINED = 10_000;
    private static final int POLLS = 50;

    private final Path folder;
    private final double scale;
    private final int events;
    private final Report report;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    EventMeasurements(Path folder, double scale, Report report) {
        this.folder = folder;
        this.scale = scale;
        this.events = (int) Math.max(10 * PART, 100_000 * scale);
        this.report = report;
    }

    void run() throws Exception {
        try {
            sqlite();
            new WakeUpMeasurement(folder, scale, report).run();
            requests();
        } finally {
            threads.shutdown();
        }
    }

    private static EventStore bus(Storage storage) {
        return storage.events(EventOptions.defaults());
    }

    private void sqlite() throws Exception {
        Path rawFile = folder.resolve("raw-events.db");
        // Makes the tables.
        Ontologia.openStored("sqlite:///" + rawFile, SessionOptions.defaults()).close();
        try (Session session =
                        Ontologia.openStored("sqlite:///" + folder.resolve("events.db"), SessionOptions.defaults());
                RawEvents first = new RawEvents(rawFile);
                RawEvents second = new RawEvents(rawFile)) {
            List<RawEvents> raw = List.of(first, second);
            EventStore bus = bus(session.storage());
            Stopwatch.Part floor = (from, size) -> together(number -> rawBatches(raw.get(number), number, from, size));
            Stopwatch.Part ours = (from, size) -> together(number -> batches(bus, number, size));
            Stopwatch.inTurns(0, 5 * PART, PART, floor, ours);
            double[] seconds = Stopwatch.inTurns(5 * PART, events, PART, floor, ours);
            String work = "enqueue, claim, ack of " + events + " events in batches of " + BATCH + " by two threads";
            report.perSecond(work, seconds[1], seconds[0], events, 5_000);
            report.atMost(work + ", against plain SQL", seconds[1], seconds[0], 1 / 0.3);
        }
    }

    private interface Worker {
        void run(int number) throws Exception;
    }

    private void together(Worker worker) throws Exception {
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            tasks.add(() -> {
                worker.run(number);
                return number;
            });
        }
        for (Future<Integer> task : threads.invokeAll(tasks)) {
            task.get();
        }
    }

    private static void rawBatches(RawEvents raw, int number, int from, int size) throws Exception {
        for (int i = 0; i < size / THREADS; i += BATCH) {
            raw.batch("e" + number + "-" + (from + i), BATCH);
        }
    }

    private static List<NewEvent> batch() {
        return IntStream.range(0, BATCH)
                .mapToObj(i -> NewEvent.of("bench", "order", Map.of("n", i)))
                .toList();
    }

    private static ClaimRequest request(int limit) {
        return new ClaimRequest(
                "bench", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), limit)));
    }

    private static void batches(EventStore bus, int number, int size) {
        for (int i = 0; i < size / THREADS; i += BATCH) {
            bus.enqueue(batch());
            // Every worker leaves as many as it takes, so there are always enough.
            List<Claim> claims = bus.claim(request(BATCH));
            List<ClaimOutcome> outcomes = bus.ack(claims);
            if (outcomes.size() != BATCH || outcomes.stream().anyMatch(one -> !(one instanceof ClaimOutcome.Done))) {
                throw new IllegalStateException("worker " + number + " got " + outcomes);
            }
        }
    }

    private void requests() {
        AtomicLong count = new AtomicLong();
        ObjectStore objects = ObjectStores.open("memory:");
        StorageOptions options = StorageOptions.defaults()
                .settings(Map.of("cache_dir", folder.resolve("cache").toString()));
        try (Storage worker = OpenStores.open(counting(objects, count), options, Threads.background())) {
            EventStore bus = bus(worker);
            for (int i = 0; i < RETAINED; i += BATCH) {
                bus.enqueue(batch());
                bus.ack(bus.claim(request(BATCH)));
            }
            bus.registerSession("bench", "worker", Map.of());
            long most = 0;
            long start = count.get();
            for (int i = 0; i < POLLS; i++) {
                long before = count.get();
                if (i % 5 == 0) {
                    bus.heartbeat("bench", "worker");
                }
                bus.claim(request(BATCH));
                most = Math.max(most, count.get() - before);
            }
            report.requests("most requests of a poll with " + RETAINED + " finished events", (double) most, 3);
            report.requests(
                    "requests of an idle worker in a poll interval, with heartbeats",
                    (count.get() - start) / (double) POLLS,
                    2);
        }
    }

    private static ObjectStore counting(ObjectStore store, AtomicLong count) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, arguments) -> {
                    if (!Set.of("location", "close").contains(method.getName())) {
                        count.incrementAndGet();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
