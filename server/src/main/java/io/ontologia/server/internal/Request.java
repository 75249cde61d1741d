package io.ontologia.server.internal;

import com.sun.net.httpserver.HttpExchange;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.server.ServerLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One request, within the limits. Used by one thread. */
final class Request {
    private final HttpExchange exchange;
    private final Map<String, String> path;
    private final Map<String, List<String>> query;
    private final Access.Grant grant;
    private final ServerLimits limits;
    private byte @Nullable [] content;

    Request(HttpExchange exchange, Map<String, String> path, Access.Grant grant, ServerLimits limits) {
        this.exchange = exchange;
        this.path = path;
        this.query = parsed(exchange.getRequestURI().getRawQuery());
        this.grant = grant;
        this.limits = limits;
    }

    /** A variable part of the path, decoded. */
    String path(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no part '" + name + "'");
        }
        return value;
    }

    /** A parameter of the query, decoded. */
    Optional<String> query(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw new Refusal(400, ErrorKind.INVALID_INPUT, "its query has a parameter twice", "give it once");
        }
        return values.stream().findFirst();
    }

    /** Refuses parameters that the route does not know: a misspelt filter must not list everything. */
    void allowOnly(Set<String> names) {
        for (String name : query.keySet()) {
            if (!names.contains(name)) {
                throw new Refusal(
                        400,
                        ErrorKind.INVALID_INPUT,
                        "its query has a parameter that is not known here",
                        names.isEmpty() ? "leave the query away" : "use " + String.join(", ", names));
            }
        }
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** What the sender may do. */
    Access.Grant grant() {
        return grant;
    }

    HttpExchange exchange() {
        return exchange;
    }

    /** The body, which must be one JSON object, read by the given reader. What does not fit is the sender's fault. */
    <T> T body(Function<JsonObject, T> reader) {
        String type = header("Content-Type").orElse("");
        if (!type.matches("(?i)application/json\\s*(;.*)?")) {
            throw new Refusal(
                    415, ErrorKind.INVALID_INPUT, "its body is not application/json", "set the header Content-Type");
        }
        Object tree = Json.parse(content());
        try {
            return reader.apply(JsonObject.of("the body", tree));
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CORRUPT
                    ? new Refusal(400, ErrorKind.INVALID_INPUT, e.reason() + " in its body", "correct the body")
                    : e;
        }
    }

    /**
     * The bytes of the body, read once.
     *
     * @throws Refusal with 413 when it is too large, with 400 when it is not as long as its headers say
     */
    byte[] content() {
        if (content == null) {
            content = read();
        }
        return content;
    }

    private byte[] read() {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] bytes = in.readNBytes(limits.bodyBytes() + 1);
            if (bytes.length > limits.bodyBytes()) {
                throw new Refusal(
                        413,
                        ErrorKind.INVALID_INPUT,
                        "its body is larger than " + limits.bodyBytes() + " bytes",
                        "keep large content elsewhere, and its address here");
            }
            return bytes;
        } catch (IOException e) {
            // A broken chunk size, or fewer bytes than announced.
            throw new Refusal(
                    400,
                    ErrorKind.INVALID_INPUT,
                    "its body does not have the length that it announces",
                    "send a Content-Length, or well-formed chunks");
        }
    }

    /** A parameter of the query that may be repeated, decoded. */
    List<String> queries(String name) {
        return query.getOrDefault(name, List.of());
    }

    private static Map<String, List<String>> parsed(@Nullable String raw) {
        Map<String, List<String>> query = new HashMap<>();
        for (String part : raw == null || raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = decoded(equals < 0 ? part : part.substring(0, equals));
            query.computeIfAbsent(name, unused -> new ArrayList<>())
                    .add(equals < 0 ? "" : decoded(part.substring(equals + 1)));
        }
        return query;
    }

    /** Percent-decodes a part of a path or query; {@code +} is a plus. */
    static String decoded(String raw) {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        ByteBuffer bytes = ByteBuffer.allocate(raw.length() * 3);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c != '%') {
                bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            int value = i + 2 < raw.length() ? hex(raw.charAt(i + 1)) * 16 + hex(raw.charAt(i + 2)) : -1;
            if (value < 0) {
                throw malformed();
            }
            bytes.put((byte) value);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw malformed();
        }
    }

    private static int hex(char digit) {
        int value = Character.digit(digit, 16);
        return value < 0 || digit > 'f' ? -1000 : value;
    }

    private static Refusal malformed() {
        return new Refusal(
                400,
                ErrorKind.INVALID_INPUT,
                "its URL is not percent-encoded UTF-8",
                "encode names segment by segment");
    }
}
