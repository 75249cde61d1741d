package io.ontologia.objectstore.internal.s3;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** An HTTP server that writes down every request and answers with what the test prepared; the last answer repeats. */
final class ScriptedServer implements AutoCloseable {

    /** A request as it came. */
    record Received(String method, String uri, Headers headers, String body) {
        /** The header's value; empty when it was not sent. */
        String header(String name) {
            String value = headers.getFirst(name);
            return value == null ? "" : value;
        }
    }

    private record Answer(int status, Map<String, String> headers, String body) {}

    private final HttpServer http;
    private final Queue<Answer> answers = new ArrayDeque<>();
    private final List<Received> received = new ArrayList<>();

    ScriptedServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::handle);
        http.start();
    }

    int port() {
        return http.getAddress().getPort();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** Prepares an answer. */
    synchronized ScriptedServer answer(int status, Map<String, String> headers, String body) {
        answers.add(new Answer(status, headers, body));
        return this;
    }

    /** Prepares the answer to a request that succeeds, with an ETag. */
    ScriptedServer success(String etag) {
        return answer(200, Map.of("ETag", '"' + etag + '"'), "");
    }

    /** Prepares an error as S3 sends it. */
    ScriptedServer error(int status, String code) {
        return answer(
                status,
                Map.of("Content-Type", "application/xml"),
                "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code><Message>m</Message></Error>");
    }

    /** All requests so far. */
    synchronized List<Received> received() {
        return List.copyOf(received);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Answer answer = next(new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    exchange.getRequestHeaders(),
                    body));
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            boolean bodiless = bytes.length == 0 || answer.status() == 204 || answer.status() == 304;
            exchange.sendResponseHeaders(answer.status(), bodiless ? -1 : bytes.length);
            if (!bodiless) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }

    private synchronized Answer next(Received request) {
        received.add(request);
        return answers.size() > 1 ? answers.remove() : answers.element();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
