package io.ontologia.nameservice.internal.http;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.spi.WireJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests and tells what became of them. A write carries an id of its own, and is sent again with it after a lost reply: the
 * server answers it once and repeats that answer. Safe for use by many threads.
 */
final class Exchanges {
    private static final Duration REQUEST_TIME = Duration.ofSeconds(30);
    /** A page of a thousand records of a megabyte would be more; a server sends smaller ones when asked. */
    private static final int MAX_REPLY = 64 << 20;

    private static final RetryPolicy POLICY =
            new RetryPolicy(5, Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofSeconds(40));

    private final ServiceLocation location;
    private final @Nullable String token;
    private final Retry retry;
    private final RandomGenerator random;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private volatile String instance = "";

    Exchanges(ServiceLocation location, @Nullable String token, NameserviceOptions options) {
        this.location = location;
        this.token = token;
        this.random = options.random();
        this.retry = new Retry(POLICY, options.clock(), options.random());
    }

    /** What became of a write. */
    sealed interface Written {
        /** The server answered it. */
        record Answered(JsonObject body) implements Written {}

        /** It was sent, and no server can say what became of it. */
        record Lost(OntologiaException reason) implements Written {}
    }

    /**
     * Reads; empty when the server says that there is no such record.
     *
     * @throws OntologiaException as the server reports it, or when it cannot be reached
     */
    Optional<JsonObject> read(String problem, URI uri) {
        Retry.Attempts attempts = retry.start();
        while (true) {
            OntologiaException error;
            try {
                HttpResponse<byte[]> reply = send(request(uri).GET().build());
                if (reply.statusCode() == 200) {
                    return Optional.of(body(reply));
                }
                error = error(problem, reply);
                if (error instanceof io.ontologia.nameservice.NameNotFoundException) {
                    return Optional.empty();
                }
                if (reply.statusCode() != 429) {
                    throw error;
                }
            } catch (IOException e) {
                error = unreachable(problem, e);
            }
            if (!attempts.waitForNext()) {
                throw error;
            }
        }
    }

    /**
     * Writes.
     *
     * @throws OntologiaException as the server reports it, or when certainly nothing was changed
     */
    Written write(String problem, String method, URI uri, Map<String, ? extends @Nullable Object> body) {
        String attempt = RandomIds.hex(random, 24);
        HttpRequest.BodyPublisher content = method.equals("DELETE")
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(CanonicalJson.write(body));
        Retry.Attempts attempts = retry.start();
        // The server that the first try went to, should it have arrived.
        String sentTo = "";
        boolean doubt = false;
        while (true) {
            OntologiaException error;
            String known = instance;
            HttpRequest.Builder request = request(uri)
                    .method(method, content)
                    .header("Content-Type", "application/json")
                    .header("Ontologia-Attempt", attempt);
            if (doubt) {
                request.header("Ontologia-Resent-To", sentTo.isEmpty() ? "unknown" : sentTo);
            }
            try {
                HttpResponse<byte[]> reply = send(request.build());
                JsonObject answer = body(reply);
                if (answer.fields().containsKey("outcome")) {
                    return new Written.Answered(answer);
                }
                error = error(problem, reply);
                if (error.kind() == ErrorKind.UNKNOWN_OUTCOME) {
                    return new Written.Lost(error);
                }
                if (doubt && isAboutThisTryOnly(error)) {
                    error = unknown(problem, new IOException(error.reason()));
                } else if (reply.statusCode() != 429) {
                    throw error;
                }
            } catch (IOException e) {
                if (!neverSent(e)) {
                    sentTo = doubt ? sentTo : known;
                    doubt = true;
                }
                error = doubt ? unknown(problem, e) : unreachable(problem, e);
            }
            if (!attempts.waitForNext()) {
                if (doubt) {
                    return new Written.Lost(error);
                }
                throw error;
            }
        }
    }

    /**
     * Opens a stream of events. The caller closes it.
     *
     * @param last the id of the event to go on behind
     * @throws IOException when it cannot be opened now
     * @throws OntologiaException when the server refuses it
     */
    InputStream stream(String problem, URI uri, Optional<String> last) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).header("Accept", "text/event-stream");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        last.ifPresent(id -> request.header("Last-Event-ID", id));
        try {
            HttpResponse<InputStream> reply = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (reply.statusCode() == 200) {
                return reply.body();
            }
            reply.body().close();
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    problem,
                    location + " refused the stream of events (HTTP " + reply.statusCode() + ")",
                    "check the token, and try again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private HttpRequest.Builder request(URI uri) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(REQUEST_TIME).header("Accept", "application/json");
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, info -> new LimitedBody(MAX_REPLY));
        try {
            HttpResponse<byte[]> reply = sent.get(REQUEST_TIME.toSeconds() * 2, TimeUnit.SECONDS);
            instance = reply.headers().firstValue("Ontologia-Instance").orElse(instance);
            return reply;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (TimeoutException e) {
            sent.cancel(true);
            throw new IOException("the reply takes too long", e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private JsonObject body(HttpResponse<byte[]> reply) throws IOException {
        try {
            return JsonObject.of("a reply of " + location, Json.parse(reply.body()));
        } catch (OntologiaException e) {
            // Something in between answered: nobody knows whether the server did too.
            throw new IOException("HTTP " + reply.statusCode() + " without JSON", e);
        }
    }

    private OntologiaException error(String problem, HttpResponse<byte[]> reply) throws IOException {
        JsonObject body = body(reply);
        if (reply.statusCode() < 400 || !(body.fields().get("kind") instanceof String)) {
            throw new IOException("HTTP " + reply.statusCode() + " without an error in it");
        }
        OntologiaException error = WireJson.readError(body);
        boolean named = error.details().containsKey("alias");
        return named || error.kind() == ErrorKind.INVALID_INPUT
                ? error
                : new OntologiaException(
                        error.kind(),
                        problem,
                        error.reason() + " (" + location + ")",
                        error.remedy(),
                        error.details(),
                        null);
    }

    /** Whether a refusal leaves open what became of an earlier try. */
    private static boolean isAboutThisTryOnly(OntologiaException error) {
        return error.kind() == ErrorKind.BUSY
                || error.kind() == ErrorKind.UNAVAILABLE
                || error.kind() == ErrorKind.CLOSED;
    }

    private static boolean neverSent(IOException e) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof ConnectException
                    || t instanceof HttpConnectTimeoutException
                    || t instanceof UnresolvedAddressException
                    || t instanceof SSLHandshakeException) {
                return true;
            }
        }
        return false;
    }

    private OntologiaException unreachable(String problem, IOException e) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                problem,
                location + " gave no usable answer (" + describe(e) + ")",
                "check the URL, and that the server runs",
                e);
    }

    private OntologiaException unknown(String problem, IOException e) {
        return new OntologiaException(
                ErrorKind.UNKNOWN_OUTCOME,
                problem,
                "it was sent, but " + location + " did not confirm it (" + describe(e) + ")",
                "read before doing anything else",
                e);
    }

    private static String describe(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
