package io.ontologia.store.sqlite;

import io.ontologia.core.EventOptions;
import io.ontologia.core.HandlerOptions;
import io.ontologia.core.Handlers;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import io.ontologia.core.spi.StorageOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/**
 * One worker in a process of its own, until its input ends. It says {@code start n} and {@code end n} around each event it
 * handles, and {@code fail n} where the event asks for failure; each line with a full stop at its end.
 */
final class DrainLoop {
    static final String NAMESPACE = "jobs";
    static final String HANDLER = "drain";

    /** Leases are short, so that the work of those who were killed goes on soon. */
    static final EventOptions OPTIONS = EventOptions.of(Map.of(
            "event_claim_lease_ms", "1500",
            "event_claim_limit", "20",
            "event_poll_interval_ms", "100",
            "event_max_attempts", "3",
            "event_backoff_base_ms", "1",
            "event_backoff_max_ms", "5"));

    record Job(long number, boolean broken) {}

    private DrainLoop() {}

    static Session open(String uri) {
        return Ontologia.openStored(
                uri,
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults()
                                .durability(StorageOptions.Durability.PROCESS_CRASH)
                                .lockTimeout(Duration.ofMinutes(1))));
    }

    public static void main(String[] args) throws IOException {
        Handlers handlers = Handlers.none()
                .on(Job.class, HandlerOptions.of(HANDLER).concurrency(2), (job, context) -> {
                    say("start", job.number());
                    if (job.broken()) {
                        say("fail", job.number());
                        throw new IllegalStateException("broken");
                    }
                    say("end", job.number());
                });
        try (Session session = open(args[0]);
                Worker worker = Worker.of(session, WorkerOptions.of(NAMESPACE).events(OPTIONS), handlers)
                        .start()) {
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
            say("stopped", worker.sessionId().length());
        }
    }

    private static synchronized void say(String what, long number) {
        System.out.println(what + " " + number + " .");
        System.out.flush();
    }
}
