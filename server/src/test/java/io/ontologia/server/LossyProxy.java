package io.ontologia.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between client and server, and loses requests and replies as told. */
final class LossyProxy implements AutoCloseable {
    private static final Set<String> HOP = Set.of("connection", "content-length", "host", "date", "transfer-encoding");

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final Queue<Loss> losses = new ArrayDeque<>();
    private volatile URI target;
    private volatile URI successor;

    /** What is lost. */
    enum Loss {
        /** The request: it never reaches the server. */
        REQUEST,
        /** The reply: the server did what it was asked. */
        REPLY,
        /** The reply, of which something that is no JSON comes through. */
        GARBLED,
        /** Nothing. */
        NOTHING
    }

    LossyProxy(URI target) throws IOException {
        this.target = target;
        this.successor = target;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::forward);
        server.setExecutor(threads);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Sends requests to another server, once a reply of this one is lost. */
    void afterLoss(URI other) {
        successor = other;
    }

    /** What the next requests lose, one after the other. */
    synchronized void lose(Loss... planned) {
        losses.addAll(List.of(planned));
    }

    private synchronized Loss next() {
        Loss loss = losses.poll();
        return loss == null ? Loss.NOTHING : loss;
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            Loss loss = next();
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (loss == Loss.REQUEST) {
                return;
            }
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(target + exchange.getRequestURI().toString()))
                    .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!HOP.contains(name.toLowerCase(java.util.Locale.ROOT))
                        && !name.startsWith("Http2")
                        && !name.equals("Upgrade")) {
                    request.header(name, values.get(0));
                }
            });
            HttpResponse<byte[]> reply = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (loss == Loss.REPLY) {
                target = successor;
                return;
            }
            reply.headers().map().forEach((name, values) -> {
                if (!HOP.contains(name)) {
                    exchange.getResponseHeaders().set(name, values.get(0));
                }
            });
            byte[] content =
                    loss == Loss.GARBLED ? "<html>".getBytes(java.nio.charset.StandardCharsets.US_ASCII) : reply.body();
            exchange.sendResponseHeaders(
                    loss == Loss.GARBLED ? 502 : reply.statusCode(), content.length == 0 ? -1 : content.length);
            exchange.getResponseBody().write(content);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
