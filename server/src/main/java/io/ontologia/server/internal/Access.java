package io.ontologia.server.internal;

import com.sun.net.httpserver.HttpExchange;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.server.AccessToken;
import io.ontologia.server.Scope;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;

/** Who may do what. Tokens are compared by their hashes, all of them every time, so that the time tells nothing. */
final class Access {
    private static final String BEARER = "Bearer ";

    private final List<Known> tokens;

    /** @param tokens those that are accepted; none for a server that everybody on this machine may use */
    Access(List<AccessToken> tokens) {
        this.tokens = tokens.stream()
                .map(token -> new Known(hash(token.secret()), token.scope()))
                .toList();
    }

    /** What a route needs. */
    enum Need {
        NOTHING,
        READ,
        WRITE;

        static Need of(Scope scope) {
            return scope == Scope.READ ? READ : WRITE;
        }
    }

    /**
     * The scope of a request.
     *
     * @throws Refusal with 401 without a good token, with 403 when it is good for less
     */
    Scope scope(HttpExchange exchange, Need need) {
        if (tokens.isEmpty()) {
            requireLocalHost(exchange);
            return Scope.WRITE;
        }
        if (need == Need.NOTHING) {
            return Scope.READ;
        }
        Scope scope = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .flatMap(header -> find(header.substring(BEARER.length()).strip()))
                .orElseThrow(() -> new Refusal(
                        401,
                        ErrorKind.UNAVAILABLE,
                        "it has no access token that is known here",
                        "send one in the header Authorization, as Bearer and the token"));
        require(scope, need == Need.READ ? Scope.READ : Scope.WRITE);
        return scope;
    }

    /** Refuses who has less than what is needed. */
    static void require(Scope scope, Scope needed) {
        if (!scope.covers(needed)) {
            throw new Refusal(
                    403,
                    ErrorKind.UNAVAILABLE,
                    "its access token is good for reading only, without secrets",
                    "use a token with the scope write");
        }
    }

    private Optional<Scope> find(String secret) {
        byte[] hash = hash(secret);
        Optional<Scope> found = Optional.empty();
        for (Known known : tokens) {
            if (MessageDigest.isEqual(known.hash, hash)) {
                found = Optional.of(known.scope);
            }
        }
        return found;
    }

    /** A page in a browser could point a name of its own at this machine; it cannot change the header. */
    private static void requireLocalHost(HttpExchange exchange) {
        String host = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Host"))
                .orElse("");
        if (!host.matches("(?i)(localhost|127(\\.\\d{1,3}){3}|\\[[0:]*:1\\])(:\\d+)?")) {
            throw new Refusal(
                    403,
                    ErrorKind.UNAVAILABLE,
                    "its header Host is not this machine, and there are no access tokens",
                    "use 127.0.0.1, or start the server with tokens");
        }
    }

    private static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static final class Known {
        private final byte[] hash;
        private final Scope scope;

        Known(byte[] hash, Scope scope) {
            this.hash = hash;
            this.scope = scope;
        }
    }
}
