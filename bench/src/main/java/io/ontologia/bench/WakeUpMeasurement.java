package io.ontologia.bench;

import io.ontologia.core.EventOptions;
import io.ontologia.core.Handlers;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.Worker;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.Clock;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;

/** How long an event of the same process waits for its handler, with a worker that polls once a second. */
final class WakeUpMeasurement {
    private static final int WARM_UP = 200;
    private static final double MOST_SECONDS = 0.020;

    private final Path folder;
    private final int events;
    private final Report report;

    record Order(long number) {}

    WakeUpMeasurement(Path folder, double scale, Report report) {
        this.folder = folder;
        this.events = (int) Math.max(500, 2_000 * scale);
        this.report = report;
    }

    void run() throws InterruptedException {
        Clock clock = Clock.system();
        LinkedTransferQueue<Long> begun = new LinkedTransferQueue<>();
        Handlers handlers =
                Handlers.none().on(Order.class, "bench.order", (order, context) -> begun.add(clock.monotonicNanos()));
        double[] seconds = new double[events];
        try (Session session =
                        Ontologia.openStored("sqlite:///" + folder.resolve("wake-up.db"), SessionOptions.defaults());
                Worker worker = Worker.of(session, "bench", handlers).start()) {
            EventStore bus = session.storage().events(EventOptions.defaults());
            for (int i = -WARM_UP; i < events; i++) {
                bus.enqueue(List.of(NewEvent.of("bench", new Order(i))));
                long enqueued = clock.monotonicNanos();
                Long handled = begun.poll(1, TimeUnit.MINUTES);
                if (handled == null) {
                    throw new IllegalStateException("worker " + worker.sessionId() + " does not wake up");
                }
                if (i >= 0) {
                    seconds[i] = (handled - enqueued) / 1e9;
                }
            }
        }
        Arrays.sort(seconds);
        report.within(
                "from enqueue to handler in one process, p99 of " + events + " events",
                Math.max(0, seconds[(int) Math.ceil(events * 0.99) - 1]),
                MOST_SECONDS);
    }
}
