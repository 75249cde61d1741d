package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How to reach S3. Credentials are not here: they come from the default chain of the AWS SDK (environment, profile,
 * container, instance).
 *
 * @param region {@code s3_region}; empty to ask the default chain
 * @param endpoint {@code s3_endpoint_url}; empty for AWS itself
 * @param requestTimeout {@code s3_request_timeout_s}: how long the server may take for one request; one second more for
 *     every MiB that it carries
 * @param operationLimit {@code s3_operation_timeout_s}: how long one operation may take in all, retries included; empty for
 *     four requests
 * @param addressing where the bucket's name goes
 */
public record S3Options(
        Optional<String> region,
        Optional<URI> endpoint,
        Duration requestTimeout,
        Optional<Duration> operationLimit,
        Addressing addressing) {
    private static final int REQUESTS_OF_OPERATION = 4;
    private static final Pattern REGION = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    /** Where the bucket's name goes. */
    public enum Addressing {
        /** Path style with a custom endpoint, virtual-host style on AWS. */
        AUTO,
        /** {@code https://endpoint/bucket/key}. */
        PATH,
        /** {@code https://bucket.endpoint/key}. */
        VIRTUAL_HOST
    }

    public S3Options {
        if (requestTimeout.isNegative() || requestTimeout.isZero()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid s3_request_timeout_s",
                    "it must be more than zero",
                    "give it in seconds, for example 10.0");
        }
        if (operationLimit.isPresent() && operationLimit.get().compareTo(requestTimeout) < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid s3_operation_timeout_s",
                    "it is less than s3_request_timeout_s, which is " + requestTimeout.toMillis() + " ms",
                    "give at least as many seconds");
        }
        if (region.isPresent() && !REGION.matcher(region.get()).matches()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid s3_region",
                    "a region's name has only lower-case letters, digits and hyphens",
                    "give it as AWS writes it, for example eu-central-1");
        }
        if (endpoint.isPresent() && !isUsable(endpoint.get())) {
            // The URL is not shown: what makes it unusable may be a password inside it.
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid s3_endpoint_url",
                    "it must have http or https, a host, and neither user-info nor query nor fragment",
                    "give it as in https://storage.example.org:9000");
        }
    }

    /** AWS itself, region from the default chain, 10 seconds for a request and 40 for an operation. */
    public static S3Options defaults() {
        return new S3Options(
                Optional.empty(), Optional.empty(), Duration.ofSeconds(10), Optional.empty(), Addressing.AUTO);
    }

    /** How long one operation may take in all, retries included. */
    public Duration operationTimeout() {
        return operationLimit.orElse(requestTimeout.multipliedBy(REQUESTS_OF_OPERATION));
    }

    /**
     * The defaults, with those of the settings {@code s3_region}, {@code s3_endpoint_url}, {@code s3_request_timeout_s} and
     * {@code s3_operation_timeout_s} that are there.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when one of them is wrong
     */
    public static S3Options of(Map<String, String> settings) {
        S3Options s3 = defaults();
        if (settings.containsKey("s3_region")) {
            s3 = s3.region(settings.get("s3_region"));
        }
        if (settings.containsKey("s3_endpoint_url")) {
            s3 = s3.endpoint(url(settings.get("s3_endpoint_url")));
        }
        if (settings.containsKey("s3_request_timeout_s")) {
            s3 = s3.requestTimeout(seconds("s3_request_timeout_s", settings));
        }
        if (settings.containsKey("s3_operation_timeout_s")) {
            s3 = s3.operationTimeout(seconds("s3_operation_timeout_s", settings));
        }
        return s3;
    }

    /** The same with a region. */
    public S3Options region(String name) {
        return new S3Options(Optional.of(name), endpoint, requestTimeout, operationLimit, addressing);
    }

    /** The same with another server than AWS. */
    public S3Options endpoint(URI url) {
        return new S3Options(region, Optional.of(url), requestTimeout, operationLimit, addressing);
    }

    /** The same with another time limit for an operation. */
    public S3Options operationTimeout(Duration limit) {
        return new S3Options(region, endpoint, requestTimeout, Optional.of(limit), addressing);
    }

    /** The same with another time limit for a request. */
    public S3Options requestTimeout(Duration limit) {
        return new S3Options(region, endpoint, limit, operationLimit, addressing);
    }

    /** The same with the bucket's name in another place. */
    public S3Options addressing(Addressing style) {
        return new S3Options(region, endpoint, requestTimeout, operationLimit, style);
    }

    private static boolean isUsable(URI url) {
        return ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                && url.getHost() != null
                && url.getRawUserInfo() == null
                && url.getRawQuery() == null
                && url.getRawFragment() == null;
    }

    private static URI url(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid s3_endpoint_url",
                    "it is not a URL",
                    "give it as in https://storage.example.org:9000");
        }
    }

    private static Duration seconds(String name, Map<String, String> settings) {
        try {
            return Duration.ofMillis((long) (Double.parseDouble(settings.getOrDefault(name, "")) * 1000));
        } catch (NumberFormatException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid " + name, "it is not a number", "give it in seconds");
        }
    }
}
