package io.ontologia.nameservice.internal.http;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameEvents;
import io.ontologia.nameservice.spi.WireJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server-sent events of a nameservice, read by a thread of its own. */
final class EventStream implements NameEvents {
    private static final int CAPACITY = 1024;
    private static final int RECONNECTS = 5;

    private final Connector connector;
    private final BlockingQueue<Optional<NameEvent>> events = new LinkedBlockingQueue<>(CAPACITY);
    private volatile boolean closed;
    private volatile @Nullable OntologiaException failure;
    private volatile @Nullable InputStream current;

    /** Opens the stream, behind an event when it is named. */
    interface Connector {
        InputStream connect(Optional<String> lastEventId) throws IOException;
    }

    EventStream(Connector connector) {
        this.connector = connector;
        Thread reader = new Thread(this::read, "ontologia-name-events");
        reader.setDaemon(true);
        reader.start();
    }

    @Override
    public Optional<NameEvent> next(Duration atMost) {
        try {
            Optional<NameEvent> event = events.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
            OntologiaException failed = failure;
            if ((event == null || event.isEmpty()) && failed != null) {
                throw failed;
            }
            return event == null ? Optional.empty() : event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        closed = true;
        InputStream open = current;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // The stream is not read any more.
            }
        }
        events.clear();
    }

    private void read() {
        Optional<String> last = Optional.empty();
        int failures = 0;
        try {
            while (!closed) {
                try (InputStream in = connector.connect(last)) {
                    current = in;
                    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
                    Optional<String> read = Optional.of("");
                    while (!closed && read.isPresent()) {
                        read = one(lines);
                        last = read.filter(id -> !id.isEmpty()).isPresent() ? read : last;
                        failures = read.isPresent() ? 0 : failures;
                    }
                } catch (IOException e) {
                    if (++failures > RECONNECTS) {
                        throw new OntologiaException(
                                ErrorKind.UNAVAILABLE,
                                "cannot follow the records",
                                "the stream of events broke off and could not be taken up again",
                                "check that the server runs",
                                e);
                    }
                }
            }
        } catch (OntologiaException e) {
            failure = e;
            var unused = events.offer(Optional.empty());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads one event and hands it on; its id, empty text without one, or empty at the end of the stream. */
    private Optional<String> one(BufferedReader lines) throws IOException, InterruptedException {
        String id = "";
        String name = "";
        String data = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (!name.isEmpty()) {
                    events.put(Optional.of(event(name, data)));
                }
                return Optional.of(id);
            }
            id = line.startsWith("id: ") ? line.substring(4) : id;
            name = line.startsWith("event: ") ? line.substring(7) : name;
            data = line.startsWith("data: ") ? line.substring(6) : data;
        }
        return Optional.empty();
    }

    private static NameEvent event(String name, String data) {
        JsonObject tree = JsonObject.parse("an event", data);
        return switch (name) {
            case "snapshot" -> new NameEvent.Snapshot(WireJson.readRecord("the record of an event", tree));
            case "created" -> new NameEvent.Created(WireJson.readRecord("the record of an event", tree));
            case "moved" ->
                new NameEvent.Moved(
                        Alias.parse(tree.text("alias")),
                        new EntityType(tree.text("type")),
                        Concern.parse(tree.text("concern")),
                        WireJson.readValue(tree.object("value")));
            case "purged" -> new NameEvent.Purged(Alias.parse(tree.text("alias")), new EntityType(tree.text("type")));
            case "live" -> new NameEvent.Live();
            default -> new NameEvent.Resync();
        };
    }
}
