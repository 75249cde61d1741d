package io.ontologia.server.internal;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.server.Scope;
import io.ontologia.server.ServerLimits;
import io.ontologia.server.ServerOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes every request through limits, access and routes to its handler, and sends the reply. Safe for use by many threads. */
final class Dispatcher implements HttpHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    /** Threads beyond the limits, which tell the others to come back. */
    private static final int SPARE_THREADS = 16;

    private final Routes routes;
    private final Access access;
    private final Attempts attempts;
    private final String instance;
    private final ServerLimits limits;
    private final Runnable onOutOfMemory;
    private final Semaphore slots;
    private final Semaphore streams;
    private final ExecutorService threads;
    /** Requests whose replies are not yet sent, and this server. */
    private final Phaser underWay = new Phaser(1);

    private volatile boolean draining;

    /** @param instance the id of this server, sent with every reply */
    Dispatcher(Routes routes, Access access, Attempts attempts, String instance, ServerOptions options) {
        this.routes = routes;
        this.access = access;
        this.attempts = attempts;
        this.instance = instance;
        this.limits = options.limits();
        this.onOutOfMemory = options.onOutOfMemory();
        this.slots = new Semaphore(limits.requests());
        this.streams = new Semaphore(limits.watchers());
        this.threads = new ThreadPoolExecutor(
                0,
                limits.requests() + limits.watchers() + SPARE_THREADS,
                30,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> {
                    Thread thread = new Thread(work, "ontologia-http");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** What the server runs on. */
    Executor threads() {
        return threads;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange;
                Place place = new Place()) {
            Optional<Reply> reply = answer(exchange, place);
            if (reply.isPresent()) {
                send(exchange, reply.get());
            }
        } catch (OutOfMemoryError e) {
            onOutOfMemory.run();
            throw e;
        }
    }

    /** A request's place among those whose replies a server that stops waits for. */
    private final class Place implements AutoCloseable {
        private boolean taken;

        Place() {
            // Looked at once more after it was taken, before anything is done.
            if (!draining) {
                underWay.register();
                taken = true;
            }
        }

        @Override
        public void close() {
            if (taken) {
                taken = false;
                underWay.arriveAndDeregister();
            }
        }
    }

    private Optional<Reply> answer(HttpExchange exchange, Place place) {
        Semaphore taken = null;
        Scope scope = Scope.READ;
        try {
            requireOneHost(exchange);
            requireWithinLimits(exchange);
            Routes.Match match = routes.match(
                    exchange.getRequestMethod(), exchange.getRequestURI().getRawPath());
            Access.Grant grant = access.grant(exchange, match.route().access());
            scope = grant.scope();
            Semaphore wanted = match.route().kind() == Route.Kind.STREAM ? streams : slots;
            if (draining || !wanted.tryAcquire()) {
                throw new Refusal(
                        draining ? 503 : 429, ErrorKind.BUSY, "the server has too much to do", "send it again later");
            }
            taken = wanted;
            if (match.route().kind() == Route.Kind.STREAM) {
                // It has no end of its own, and is told to end.
                place.close();
            }
            Request request = new Request(exchange, match.variables(), grant, limits);
            if (match.route().access() == Access.Need.WRITE) {
                return Optional.of(attempts.once(
                        request, () -> match.route().handler().handle(request).orElseThrow()));
            }
            return match.route().handler().handle(request);
        } catch (OntologiaException e) {
            return Optional.of(error(e, scope));
        } catch (RuntimeException e) {
            // Its message may hold what a client sent.
            LOG.warn("request failed: {}", e.getClass().getName());
            return Optional.of(Reply.error(new OntologiaException(
                    ErrorKind.UNKNOWN_OUTCOME,
                    "cannot answer this request",
                    "the server failed (" + e.getClass().getSimpleName() + ")",
                    "read before doing anything else")));
        } finally {
            // Before the reply is sent: who is slow to read it keeps nobody else waiting.
            if (taken != null) {
                taken.release();
            }
        }
    }

    private static Reply error(OntologiaException error, Scope scope) {
        OntologiaException shown = View.of(error, scope);
        if (shown != error) {
            LOG.warn("request failed: {}", error.getMessage());
        }
        return Reply.error(shown);
    }

    /** With several, a proxy in front of this server may have looked at another one than this server does. */
    private static void requireOneHost(HttpExchange exchange) {
        List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        if (hosts.size() > 1 || (hosts.isEmpty() && !exchange.getProtocol().equals("HTTP/1.0"))) {
            throw new Refusal(
                    400,
                    ErrorKind.INVALID_INPUT,
                    hosts.isEmpty() ? "it has no header Host" : "it has several headers Host",
                    "send one");
        }
    }

    private void requireWithinLimits(HttpExchange exchange) {
        if (exchange.getRequestURI().toString().length() > limits.pathBytes()) {
            throw new Refusal(414, ErrorKind.INVALID_INPUT, "its URL is too long", "shorten it");
        }
        long headers = exchange.getRequestHeaders().entrySet().stream()
                .mapToLong(header -> header.getValue().stream()
                        .mapToLong(value -> header.getKey().length() + value.length() + 4L)
                        .sum())
                .sum();
        if (headers > limits.headerBytes()) {
            throw new Refusal(431, ErrorKind.INVALID_INPUT, "its headers are too large", "send fewer");
        }
    }

    private void send(HttpExchange exchange, Reply reply) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "application/json");
        headers.set("Cache-Control", "private, no-cache");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set(Attempts.INSTANCE, instance);
        reply.headers().forEach(headers::set);
        if (draining) {
            headers.set("Connection", "close");
        }
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    /** Takes no more requests, and waits until the replies to those under way are sent. */
    void drain(Duration limit) {
        if (draining) {
            return;
        }
        draining = true;
        try {
            underWay.awaitAdvanceInterruptibly(underWay.arrive(), limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.info("stopped with requests under way");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
