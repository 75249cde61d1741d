package io.ontologia.server.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.spi.WireJson;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is sent back: JSON.
 *
 * @param status the HTTP status
 * @param headers besides the usual ones
 * @param body its JSON; empty for 304
 */
record Reply(int status, Map<String, String> headers, String body) {
    /** A tree as JSON. */
    static Reply json(int status, Map<String, ? extends @Nullable Object> tree) {
        return new Reply(status, Map.of(), CanonicalJson.write(tree));
    }

    /** An error. */
    static Reply error(OntologiaException error) {
        int status = Refusal.statusOf(error);
        Map<String, String> headers = switch (status) {
            case 401 -> Map.of("WWW-Authenticate", "Bearer realm=\"ontologia\"");
            case 423, 429, 503 -> Map.of("Retry-After", "1");
            default -> Map.of();
        };
        return json(status, WireJson.error(error)).headers(headers);
    }

    /** The same with other headers. */
    Reply headers(Map<String, String> others) {
        return new Reply(status, others, body);
    }

    /** The same for somebody who may have it already: without a body then. */
    Reply tagged(String tag, Request request) {
        String quoted = "\"" + tag + "\"";
        Map<String, String> header = Map.of("ETag", quoted, "Vary", "Authorization");
        return request.header("If-None-Match")
                        .filter(known -> matches(known, quoted))
                        .isPresent()
                ? new Reply(304, header, "")
                : headers(header);
    }

    private static boolean matches(String known, String tag) {
        for (String one : known.split(",", -1)) {
            String candidate = one.strip();
            if (candidate.equals("*") || candidate.replaceFirst("^W/", "").equals(tag)) {
                return true;
            }
        }
        return false;
    }
}
