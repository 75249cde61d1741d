package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Makes the client of the AWS SDK. It never repeats a request by itself: whether a write may be sent again is not for it to say. */
public final class DynamoClients {
    private static final int MAX_CONNECTIONS = 64;
    private static final Duration REQUEST_TIME = Duration.ofSeconds(10);
    /** Less than what servers keep an idle connection for: one that they closed costs a lost reply. */
    private static final Duration MAX_IDLE = Duration.ofSeconds(4);

    private DynamoClients() {}

    /** A client for the table's region or endpoint. Sends nothing yet. */
    public static DynamoDbClient open(TableLocation location) {
        return builder(location)
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(MAX_CONNECTIONS)
                        .connectionMaxIdleTime(MAX_IDLE)
                        .connectionTimeout(REQUEST_TIME)
                        .connectionAcquisitionTimeout(REQUEST_TIME)
                        .socketTimeout(REQUEST_TIME))
                .build();
    }

    /** The same, to be given another way to send requests. */
    public static DynamoDbClientBuilder builder(TableLocation location) {
        DynamoDbClientBuilder client = DynamoDbClient.builder()
                .region(region(location))
                .credentialsProvider(credentials())
                .endpointDiscoveryEnabled(false)
                .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()));
        location.endpoint().ifPresent(client::endpointOverride);
        return client;
    }

    private static AwsCredentialsProvider credentials() {
        AwsCredentialsProvider chain = DefaultCredentialsProvider.builder().build();
        return () -> {
            try {
                return chain.resolveCredentials();
            } catch (SdkClientException e) {
                throw new OntologiaException(
                        ErrorKind.UNAVAILABLE,
                        "cannot use DynamoDB",
                        "no credentials were found",
                        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or configure another source of the AWS default"
                                + " chain",
                        e);
            }
        };
    }

    private static Region region(TableLocation location) {
        Optional<String> named = location.region();
        if (named.isPresent()) {
            return Region.of(named.get());
        }
        if (location.endpoint().isPresent()) {
            // Other servers hardly care, so the network is not searched for it.
            return find(new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider()))
                    .orElse(Region.US_EAST_1);
        }
        return find(new DefaultAwsRegionProviderChain())
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot reach DynamoDB",
                        "no region is configured",
                        "add ?region=… to the URI, or set AWS_REGION"));
    }

    private static Optional<Region> find(AwsRegionProvider provider) {
        try {
            return Optional.ofNullable(provider.getRegion());
        } catch (SdkClientException e) {
            return Optional.empty();
        }
    }
}
