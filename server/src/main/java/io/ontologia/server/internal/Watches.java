package io.ontologia.server.internal;

import com.sun.net.httpserver.HttpExchange;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Step;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.server.ServerOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Event streams: what is there, then what happens. A stream that breaks off is kept for a minute; who comes back with {@code
 * Last-Event-ID} goes on behind that event, and who comes too late is told by {@code resync} to forget what he knows. Safe for use
 * by many threads.
 */
final class Watches implements AutoCloseable {
    /** How long a watch waits for its watcher to come back. */
    private static final Duration LINGER = Duration.ofMinutes(1);
    /** How often a connection looks whether it is still wanted. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    private static final Pattern EVENT_ID = Pattern.compile("([0-9a-f]{24})\\.([0-9]{1,18})");

    private final Subscriptions subscriptions;
    private final Duration heartbeat;
    private final int limit;
    private final Clock clock;
    private final RandomGenerator random;
    private final Map<String, Watch> watches = new ConcurrentHashMap<>();
    private volatile boolean closed;

    Watches(Subscriptions subscriptions, ServerOptions options) {
        this.subscriptions = subscriptions;
        this.heartbeat = options.limits().heartbeat();
        this.limit = options.limits().watchers();
        this.clock = options.clock();
        this.random = options.random();
    }

    Route route() {
        return Route.stream("/v2/watch", request -> {
            watch(request);
            return Optional.empty();
        });
    }

    /** Forgets watches whose watchers did not come back. */
    Step cleaner() {
        return () -> {
            sweep();
            return Optional.of(LINGER);
        };
    }

    private void watch(Request request) {
        request.allowOnly(Set.of("alias", "concern", "type"));
        NameFilter filter = filter(request);
        Optional<Matcher> resumed = request.header("Last-Event-ID")
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .map(EVENT_ID::matcher);
        Watch watch = null;
        long after = 0;
        if (resumed.isPresent() && resumed.get().matches()) {
            after = Long.parseLong(resumed.get().group(2));
            watch = watches.get(resumed.get().group(1));
        }
        long connection = watch == null || !watch.filter().equals(filter) || !watch.canGoOnAfter(after)
                ? Watch.NONE
                : watch.attach();
        if (watch == null || connection == Watch.NONE) {
            watch = open(filter);
            after = 0;
            if (resumed.isPresent()) {
                watch.keep(new NameEvent.Resync());
            }
            connection = watch.attach();
        }
        try {
            stream(request.exchange(), watch, connection, after);
        } catch (IOException e) {
            // The watcher is gone, and may come back.
        } finally {
            watch.detach(connection, clock.monotonicNanos());
        }
    }

    private Watch open(NameFilter filter) {
        sweep();
        if (watches.size() >= limit * 2) {
            // Half of them are waiting for watchers that may come back; those go first.
            throw new Refusal(429, ErrorKind.BUSY, "too many watchers came and went", "try again in a minute");
        }
        Watch watch =
                new Watch(RandomIds.hex(random, 24), filter, subscriptions.subscribe(filter), clock.monotonicNanos());
        watches.put(watch.id(), watch);
        return watch;
    }

    private void stream(HttpExchange exchange, Watch watch, long connection, long after) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            long sent = after;
            send(out, "retry: 1000\n\n");
            for (Watch.Sent event : watch.after(after)) {
                send(out, event.text());
                sent = event.number();
            }
            long quietSince = clock.monotonicNanos();
            while (!closed && watch.isCurrent(connection)) {
                watch.next(connection, heartbeat.compareTo(SLICE) < 0 ? heartbeat : SLICE);
                // Not only what came now: the connection before this one may have taken events and not sent them.
                List<Watch.Sent> due = watch.after(sent);
                long now = clock.monotonicNanos();
                if (!due.isEmpty()) {
                    for (Watch.Sent event : due) {
                        send(out, event.text());
                        sent = event.number();
                    }
                    quietSince = now;
                } else if (now - quietSince >= heartbeat.toNanos()) {
                    send(out, ":\n\n");
                    quietSince = now;
                }
            }
        } catch (OntologiaException e) {
            // The nameservice cannot be read now. The watcher comes back, and the subscription starts over.
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void sweep() {
        long now = clock.monotonicNanos();
        watches.values().removeIf(watch -> watch.closeIfAbandoned(now, LINGER));
    }

    private static NameFilter filter(Request request) {
        NameFilter filter = NameFilter.all();
        Optional<String> type = request.query("type");
        Set<Concern> concerns =
                request.queries("concern").stream().map(Concern::parse).collect(Collectors.toSet());
        filter = filter.aliases(
                request.queries("alias").stream().map(Alias::parse).collect(Collectors.toSet()));
        filter = type.isPresent() ? filter.type(new EntityType(type.get())) : filter;
        return concerns.isEmpty() ? filter : filter.concerns(concerns);
    }

    @Override
    public void close() {
        closed = true;
        watches.values().forEach(Watch::close);
        watches.clear();
    }
}
