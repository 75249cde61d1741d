package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which table, and where.
 *
 * @param table its name
 * @param key the attribute that is its partition key
 * @param region the region, when the URI names one
 * @param endpoint another server than that of AWS
 * @param listing where listings by type or state start
 */
public record TableLocation(
        String table, String key, Optional<String> region, Optional<URI> endpoint, Listings listing) {
    /** What these URIs start with. */
    public static final String SCHEME = "dynamodb://";
    /** The table that is meant when the URI names none: that of the specification. */
    public static final String DEFAULT_TABLE = "fluree-nameservice";
    /** The form of these URIs. */
    public static final String FORM = "dynamodb://table?region=…&endpoint=…&key=…&listing=…";

    private static final Pattern TABLE = Pattern.compile("[A-Za-z0-9_.-]{3,255}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Set<String> PARAMETERS = Set.of("region", "endpoint", "listing", "key");

    /** Where listings by type or state start. */
    public enum Listings {
        /** At the table, with consistent reads. */
        CONSISTENT,
        /** At an index. */
        INDEXED
    }

    /**
     * Reads a URI.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names no table
     */
    public static TableLocation parse(String uri) {
        String rest = uri.substring(SCHEME.length());
        int question = rest.indexOf('?');
        String named = question < 0 ? rest : rest.substring(0, question);
        String table = named.isEmpty() ? DEFAULT_TABLE : named;
        if (!TABLE.matcher(table).matches()) {
            throw invalid("its table name is not 3 to 255 of the characters A-Z a-z 0-9 _ . -");
        }
        Map<String, String> parameters = parameters(question < 0 ? "" : rest.substring(question + 1));
        return new TableLocation(
                table,
                named(parameters, "key").orElse("pk"),
                named(parameters, "region"),
                Optional.ofNullable(parameters.get("endpoint")).map(TableLocation::endpoint),
                listing(parameters.getOrDefault("listing", "consistent")));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(SCHEME).append(table);
        String separator = "?";
        Map<String, Optional<String>> parameters = new LinkedHashMap<>();
        parameters.put("region", region);
        parameters.put("endpoint", endpoint.map(URI::toString));
        parameters.put("key", Optional.of(key).filter(name -> !name.equals("pk")));
        parameters.put("listing", listing == Listings.INDEXED ? Optional.of("indexed") : Optional.empty());
        for (Map.Entry<String, Optional<String>> parameter : parameters.entrySet()) {
            if (parameter.getValue().isPresent()) {
                text.append(separator)
                        .append(parameter.getKey())
                        .append('=')
                        .append(URLEncoder.encode(parameter.getValue().get(), StandardCharsets.UTF_8));
                separator = "&";
            }
        }
        return text.toString();
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (equals < 0 || !PARAMETERS.contains(name)) {
                throw invalid("it has a parameter other than region, endpoint, listing and key");
            }
            try {
                parameters.put(name, URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                throw invalid("its parameter '" + name + "' is not percent-encoded");
            }
        }
        return parameters;
    }

    private static Optional<String> named(Map<String, String> parameters, String name) {
        String value = parameters.get(name);
        if (value != null && !NAME.matcher(value).matches()) {
            throw invalid("its parameter '" + name + "' is not a plain name");
        }
        return Optional.ofNullable(value);
    }

    private static Listings listing(String value) {
        return switch (value) {
            case "consistent" -> Listings.CONSISTENT;
            case "indexed" -> Listings.INDEXED;
            default -> throw invalid("its listing is neither 'consistent' nor 'indexed'");
        };
    }

    private static URI endpoint(String value) {
        try {
            URI uri = new URI(value);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawQuery() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below, without its text: it may hold a password.
        }
        throw invalid("its endpoint is not an http or https URL without user and query");
    }

    private static OntologiaException invalid(String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "cannot open this dynamodb: URI", cause, "write it as " + FORM);
    }
}
