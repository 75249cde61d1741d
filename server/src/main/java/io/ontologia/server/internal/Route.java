package io.ontologia.server.internal;

import io.ontologia.server.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One method on one path.
 *
 * @param method the HTTP method
 * @param template the path, with variable segments in braces
 * @param access what the sender needs
 * @param kind how long it takes
 * @param handler what answers
 */
record Route(String method, String template, Access.Need access, Kind kind, Handler handler) {
    /** How long it takes. */
    enum Kind {
        /** One reply. */
        REPLY,
        /** Events until somebody has enough. */
        STREAM
    }

    /** Answers a request. */
    interface Handler {
        /** The reply; empty when the handler wrote it itself, as a stream. */
        Optional<Reply> handle(Request request);
    }

    static Route get(String template, Handler handler) {
        return new Route("GET", template, Access.Need.of(Scope.READ), Kind.REPLY, handler);
    }

    static Route stream(String template, Handler handler) {
        return new Route("GET", template, Access.Need.of(Scope.READ), Kind.STREAM, handler);
    }

    static Route write(String method, String template, Handler handler) {
        return new Route(method, template, Access.Need.of(Scope.WRITE), Kind.REPLY, handler);
    }

    /** The variable segments of a path of this route, decoded; empty when the path is not of this route. */
    Optional<Map<String, String>> match(String rawPath) {
        List<String> wanted = List.of(template.split("/", -1));
        List<String> given = List.of(rawPath.split("/", -1));
        if (wanted.size() != given.size()) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            String segment = wanted.get(i);
            if (segment.startsWith("{")) {
                variables.put(segment.substring(1, segment.length() - 1), given.get(i));
            } else if (!segment.equals(given.get(i))) {
                return Optional.empty();
            }
        }
        variables.replaceAll((name, raw) -> Request.decoded(raw));
        return Optional.of(variables);
    }
}
