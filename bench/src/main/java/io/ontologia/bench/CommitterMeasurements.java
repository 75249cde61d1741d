package io.ontologia.bench;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Identity;
import io.ontologia.core.Model;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.store.object.internal.OpenStores;
import io.ontologia.store.object.internal.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Commits to objects that are far away, by one thread and by several of the same process. */
final class CommitterMeasurements {
    private static final Duration DISTANCE = Duration.ofMillis(60);
    private static final int COMMITS = 40;

    private final Path folder;
    private final Report report;

    CommitterMeasurements(Path folder, Report report) {
        this.folder = folder;
        this.report = report;
    }

    /**
     * One alone waits for two round trips, and so does each of several: eight that share every round trip make eight times as
     * many commits, if what this machine does for them takes no time at all. So that much is asked of sixteen.
     */
    void run() throws Exception {
        double alone = seconds(1) / COMMITS;
        for (int committers : new int[] {8, 16}) {
            report.faster(
                    "a commit by " + committers + " threads at once, 60 ms from the objects, against one alone",
                    seconds(committers) / (COMMITS * committers),
                    alone,
                    committers == 8 ? 6.4 : 8);
        }
    }

    private double seconds(int committers) throws Exception {
        StorageOptions options = StorageOptions.defaults()
                .lockTimeout(Duration.ofMinutes(1))
                .settings(Map.of(
                        "cache_dir", folder.resolve("distant-" + committers).toString()));
        ExecutorService threads = Executors.newFixedThreadPool(committers);
        try (Storage storage = OpenStores.open(
                new DistantObjects(DISTANCE).of(ObjectStores.open("memory:")), options, Threads.background())) {
            storage.register(Model.ofRecords(List.of(Customer.class)).types(), "bench");
            commits(storage, threads, committers, -3, 3);
            return Stopwatch.seconds(() -> commits(storage, threads, committers, 0, COMMITS));
        } finally {
            threads.shutdownNow();
        }
    }

    private static void commits(Storage storage, ExecutorService threads, int committers, int first, int count)
            throws Exception {
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < committers; thread++) {
            String key = Customer.key(thread);
            running.add(threads.submit(() -> {
                for (int i = first; i < first + count; i++) {
                    commit(storage, key, i);
                }
            }));
        }
        for (Future<?> one : running) {
            one.get();
        }
    }

    private static void commit(Storage storage, String key, int number) {
        TypeRef type = TypeRef.entity("Customer");
        DesiredRow row = new DesiredRow(
                type, new Identity.OfEntity(key), WriteMeasurements.json(Customer.of(1_000_000 + number, 1)));
        CommitResult result = storage.commit(new CommitRequest(
                List.of(row), Map.of(), Map.of(type, 1L), key, (of, stored, wanted) -> stored.equals(wanted)));
        if (!(result instanceof CommitResult.Committed)) {
            throw new IllegalStateException("nothing was committed");
        }
    }
}
