package io.ontologia.server;

import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A plain HTTP client for tests. */
final class Http {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI base;

    Http(URI base) {
        this.base = base;
    }

    /** Sends a request with headers, given as name, value, name, value. */
    HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("no reply", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return send("POST", path, body, headers);
    }

    static JsonObject json(HttpResponse<String> reply) {
        return JsonObject.of("the reply", Json.parse(reply.body()));
    }
}
