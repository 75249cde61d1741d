package io.ontologia.server;

import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A reader of server-sent events. */
final class EventStream implements AutoCloseable {
    private final InputStream body;
    private final BufferedReader lines;

    /** An event as it came. */
    record Event(String id, String name, String data) {
        JsonObject json() {
            return JsonObject.of("an event", Json.parse(data));
        }
    }

    /** Opens a stream; headers are given as name, value, name, value. */
    EventStream(URI uri, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<InputStream> reply =
                    HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (reply.statusCode() != 200) {
                throw new AssertionError("status " + reply.statusCode());
            }
            body = reply.body();
        } catch (IOException e) {
            throw new AssertionError("no reply", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** The next event; waits for it. Its name is empty when the stream has ended. */
    Event next() {
        String id = "";
        String name = "";
        String data = "";
        try {
            String line = lines.readLine();
            while (line != null) {
                if (line.isEmpty() && !name.isEmpty()) {
                    return new Event(id, name, data);
                }
                id = line.startsWith("id: ") ? line.substring(4) : id;
                name = line.startsWith("event: ") ? line.substring(7) : name;
                data = line.startsWith("data: ") ? line.substring(6) : data;
                line = lines.readLine();
            }
        } catch (IOException e) {
            // Ended in the middle of something.
        }
        return new Event("", "", "");
    }

    /** Reads until an event of that name came. */
    Event until(String name) {
        Event event = next();
        while (!event.name().equals(name)) {
            if (event.name().isEmpty()) {
                throw new AssertionError("the stream ended without '" + name + "'");
            }
            event = next();
        }
        return event;
    }

    /** Waits for a heartbeat; false when the stream has ended. */
    boolean heartbeat() {
        try {
            String line = lines.readLine();
            while (line != null && !line.equals(":")) {
                line = lines.readLine();
            }
            return line != null;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new AssertionError("cannot close", e);
        }
    }
}
