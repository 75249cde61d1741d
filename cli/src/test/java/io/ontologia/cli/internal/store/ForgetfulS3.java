package io.ontologia.cli.internal.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that speaks just enough S3 for {@code onto init}, and ignores the conditions of a write. It lists nothing. */
final class ForgetfulS3 implements AutoCloseable {
    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    ForgetfulS3() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Map<String, byte[]> objects() {
        return objects;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        byte[] body = exchange.getRequestBody().readAllBytes();
        try (exchange) {
            switch (exchange.getRequestMethod()) {
                case "PUT" -> {
                    objects.put(path, body);
                    send(exchange, 200, body, new byte[0]);
                }
                case "GET" -> {
                    byte[] found = objects.get(path);
                    if (String.valueOf(exchange.getRequestURI().getQuery()).contains("list-type=2")) {
                        String empty = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
                        send(exchange, 200, body, empty.getBytes(StandardCharsets.UTF_8));
                    } else if (found == null) {
                        send(
                                exchange,
                                404,
                                body,
                                "<Error><Code>NoSuchKey</Code></Error>".getBytes(StandardCharsets.UTF_8));
                    } else {
                        send(exchange, 200, found, found);
                    }
                }
                default -> {
                    objects.clear();
                    send(exchange, 200, body, "<DeleteResult/>".getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] version, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("ETag", '"' + Integer.toHexString(Arrays.hashCode(version)) + '"');
        exchange.getResponseHeaders().set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
