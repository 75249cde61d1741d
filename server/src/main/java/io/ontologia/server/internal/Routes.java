package io.ontologia.server.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.nameservice.Nameservice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** All routes of the server, with the document that describes them. */
final class Routes {
    private final List<Route> routes;

    /** The routes of a nameservice and of its event streams, and that of the document. */
    static Routes of(Nameservice names, Watches watches) {
        List<Route> api = new ArrayList<>(new NamesApi(names).routes());
        api.add(watches.route());
        return new Routes(api);
    }

    private Routes(List<Route> api) {
        List<Route> all = new ArrayList<>(api);
        String document = document();
        all.add(new Route(
                "GET",
                "/openapi.json",
                Access.Need.NOTHING,
                Route.Kind.REPLY,
                request -> Optional.of(new Reply(200, Map.of(), document))));
        this.routes = List.copyOf(all);
    }

    /** A route and the variable segments of the path that it matched. */
    record Match(Route route, Map<String, String> variables) {}

    Match match(String method, String rawPath) {
        TreeSet<String> others = new TreeSet<>();
        for (Route route : routes) {
            Optional<Map<String, String>> variables = route.match(rawPath);
            if (variables.isPresent()) {
                if (route.method().equals(method)) {
                    return new Match(route, variables.get());
                }
                others.add(route.method());
            }
        }
        throw others.isEmpty()
                ? new Refusal(404, ErrorKind.NOT_FOUND, "there is nothing at this path", "see /openapi.json")
                : new Refusal(
                        405,
                        ErrorKind.INVALID_INPUT,
                        "this path does not take " + method.replaceAll("[^A-Z]", "?"),
                        "use " + String.join(" or ", others));
    }

    List<Route> all() {
        return routes;
    }

    private static String document() {
        try (InputStream in = Routes.class.getResourceAsStream("/io/ontologia/server/openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("openapi.json is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
