package io.ontologia.server.internal;

import com.sun.net.httpserver.HttpExchange;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Sha256;
import io.ontologia.nameservice.NameQuery.Secrets;
import io.ontologia.server.AccessToken;
import io.ontologia.server.Scope;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/** Who may do what. Tokens are compared by their hashes, all of them every time, so that the time tells nothing. */
final class Access {
    private static final String BEARER = "Bearer ";

    private final List<Known> tokens;

    private final Grant withoutTokens;

    /**
     * @param tokens those that are accepted; none for a server that everyone on this machine may use
     * @param withoutTokens what requests may do when there are no tokens
     */
    Access(List<AccessToken> tokens, Scope withoutTokens) {
        this.tokens = tokens.stream()
                .map(token -> new Known(hash(token.secret()), token.scope()))
                .toList();
        this.withoutTokens = new Grant(withoutTokens, Secrets.REDACTED);
    }

    /**
     * What the sender of a request may do.
     *
     * @param scope read, or read and write
     * @param secrets whether it may see secrets on request
     */
    record Grant(Scope scope, Secrets secrets) {
        static Grant of(Scope scope) {
            return new Grant(scope, scope == Scope.WRITE ? Secrets.SHOWN : Secrets.REDACTED);
        }
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
     * What a request may do.
     *
     * @throws Refusal with 401 without a good token, with 403 when it is good for less
     */
    Grant grant(HttpExchange exchange, Need need) {
        if (tokens.isEmpty()) {
            requireLocalHost(exchange);
            if (need == Need.WRITE && withoutTokens.scope() != Scope.WRITE) {
                throw new Refusal(
                        403,
                        ErrorKind.UNAVAILABLE,
                        "this server has no access tokens and takes no changes",
                        "start it with a token for writing, or allow changes without one");
            }
            return withoutTokens;
        }
        if (need == Need.NOTHING) {
            return Grant.of(Scope.READ);
        }
        Scope scope = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .flatMap(header -> find(header.substring(BEARER.length()).strip()))
                .orElseThrow(() -> new Refusal(
                        401,
                        ErrorKind.UNAVAILABLE,
                        "it has no access token that is known here",
                        "send one in the header Authorization, as Bearer and the token"));
        if (!scope.covers(need == Need.READ ? Scope.READ : Scope.WRITE)) {
            throw new Refusal(
                    403,
                    ErrorKind.UNAVAILABLE,
                    "its access token is good for reading only, without secrets",
                    "use a token with the scope write");
        }
        return Grant.of(scope);
    }

    /** Refuses a request for secrets that may not see them. */
    static void requireSecrets(Grant grant) {
        if (grant.secrets() != Secrets.SHOWN) {
            throw new Refusal(
                    403,
                    ErrorKind.UNAVAILABLE,
                    "it asks for secrets without an access token that shows them",
                    "use a token with the scope write, or leave secrets=shown away");
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
        return Sha256.digest().digest(secret.getBytes(StandardCharsets.UTF_8));
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
