package io.ontologia.server;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

/**
 * A bearer token that the server accepts.
 *
 * @param secret what the client sends: at least {@value #MIN_LENGTH} visible ASCII characters
 * @param scope what it is good for
 */
public record AccessToken(String secret, Scope scope) {
    /** The shortest token. */
    public static final int MIN_LENGTH = 16;

    public AccessToken {
        if (secret.length() < MIN_LENGTH || secret.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid access token",
                    "a token is at least " + MIN_LENGTH + " visible ASCII characters without spaces",
                    "generate one at random");
        }
    }

    /** Tells the scope and not the secret. */
    @Override
    public String toString() {
        return "AccessToken[scope=" + scope + "]";
    }
}
