package io.ontologia.bench;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Subscription;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.server.OntologiaServer;
import io.ontologia.server.ServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** How long it takes from an accepted push until a subscriber has heard of it. */
final class HearingMeasurements {
    private static final Alias DB = Alias.parse("mydb");
    private static final int WARM_UP = 500;
    private static final int PUSHES = 2_000;

    private final Report report;

    HearingMeasurements(Report report) {
        this.report = report;
    }

    void run() throws Exception {
        try (Nameservice memory = Nameservices.open("memory:");
                Subscriptions subscriptions = new Subscriptions(memory)) {
            memory.create(NewRecord.ledger(DB));
            inProcess(subscriptions);
            overHttp(subscriptions);
        }
    }

    private void inProcess(Subscriptions subscriptions) throws Exception {
        BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
        try (Subscription subscription =
                subscriptions.subscribe(NameFilter.all().alias(DB).concern(Concern.HEAD))) {
            Thread listener = new Thread(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    Optional<NameEvent> event = subscription.next(Duration.ofSeconds(10));
                    if (event.orElse(null) instanceof NameEvent.Moved) {
                        heard.add(Clock.system().monotonicNanos());
                    }
                }
            });
            listener.setDaemon(true);
            listener.start();
            report.within(
                    "push to subscriber in one process, p99 of " + PUSHES,
                    p99(subscriptions.observed(), Concern.HEAD, heard),
                    0.005);
            listener.interrupt();
        }
    }

    private void overHttp(Subscriptions subscriptions) throws Exception {
        BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
        try (OntologiaServer server =
                OntologiaServer.start(subscriptions, ServerOptions.defaults().port(0))) {
            HttpResponse<java.io.InputStream> stream = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create(server.uri() + "/v2/watch?alias=mydb%3Amain&concern=index"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8));
            String line = lines.readLine();
            while (line != null && !line.equals("event: live") && !line.equals("event:live")) {
                line = lines.readLine();
            }
            Thread listener = new Thread(() -> listen(lines, heard));
            listener.setDaemon(true);
            listener.start();
            report.within(
                    "push to subscriber over server-sent events, p99 of " + PUSHES,
                    p99(subscriptions.observed(), Concern.INDEX, heard),
                    0.050);
        }
    }

    private static void listen(BufferedReader lines, BlockingQueue<Long> heard) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:") && line.endsWith("moved")) {
                    heard.add(Clock.system().monotonicNanos());
                }
            }
        } catch (IOException e) {
            if (!heard.isEmpty()) {
                throw new UncheckedIOException(e);
            }
            // The server was closed, and all pushes were heard.
        }
    }

    private static double p99(Nameservice names, Concern concern, BlockingQueue<Long> heard)
            throws InterruptedException {
        double[] seconds = new double[PUSHES];
        ConcernValue current = names.concern(DB, concern).orElseThrow();
        for (int i = -WARM_UP; i < PUSHES; i++) {
            long watermark = current.watermark() + 1;
            ConcernValue next = ConcernValue.of(watermark, Map.of("t", watermark));
            if (!(names.push(DB, concern, current, next) instanceof PushOutcome.Updated)) {
                throw new IllegalStateException("a conflict without another writer");
            }
            long pushed = Clock.system().monotonicNanos();
            Long arrived = heard.poll(1, TimeUnit.MINUTES);
            if (arrived == null) {
                throw new IllegalStateException("nobody heard of a push");
            }
            if (i >= 0) {
                seconds[i] = Math.max(0, arrived - pushed) / 1e9;
            }
            current = next;
        }
        Arrays.sort(seconds);
        return seconds[(int) Math.ceil(PUSHES * 0.99) - 1];
    }
}
