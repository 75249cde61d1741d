package io.ontologia.objectstore.internal.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Answers every request with one object, so long after it came. */
final class SlowServer implements AutoCloseable {
    private final HttpServer http;
    private final Duration delay;
    private final CountDownLatch closed = new CountDownLatch(1);

    SlowServer(Duration delay) throws IOException {
        this.delay = delay;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::handle);
        http.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            closed.await(delay.toMillis(), TimeUnit.MILLISECONDS);
            byte[] body = "late".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("ETag", "\"e\"");
            exchange.getResponseHeaders().set("Last-Modified", "Tue, 10 Feb 2026 12:00:00 GMT");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        http.stop(0);
    }
}
