package io.ontologia.nameservice.internal.http;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Where a service is.
 *
 * @param base its URL, without a slash at the end
 */
record ServiceLocation(String base) {
    /** Reads a URL. One with a user, a password or a query is refused, and not repeated in the error: it may be secret. */
    static ServiceLocation parse(String uri) {
        try {
            URI parsed = new URI(uri);
            if (parsed.getHost() != null
                    && parsed.getRawUserInfo() == null
                    && parsed.getRawQuery() == null
                    && parsed.getRawFragment() == null) {
                return new ServiceLocation(uri.replaceFirst("/+$", ""));
            }
        } catch (URISyntaxException e) {
            // Reported below, without its text.
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot open this URL as a nameservice",
                "it is not http or https, a host, and nothing secret",
                "write it as https://host:port; a token goes into the option or environment variable for it");
    }

    /** The URL of a path whose segments are encoded one by one. */
    URI path(String... segments) {
        return URI.create(base + "/v2/"
                + Arrays.stream(segments).map(ServiceLocation::encoded).collect(Collectors.joining("/")));
    }

    /** Percent-encodes everything that is not unreserved. */
    static String encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '_'
                    || c == '.'
                    || c == '~';
            encoded.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return encoded.toString();
    }

    @Override
    public String toString() {
        return base;
    }
}
