package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.S3Options;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.LegacyMd5Plugin;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Makes the client of the AWS SDK, set so that S3 and the servers that imitate it all understand it. */
final class S3Connection {
    /** Enough for every thread of a busy process; a request over that waits for its turn. */
    private static final int MAX_CONNECTIONS = 128;
    /** Less than what servers keep an idle connection for: one that they closed costs a lost reply. */
    private static final Duration MAX_IDLE = Duration.ofSeconds(4);

    private S3Connection() {}

    static S3Client open(S3Options options, NamedCredentials credentials, Apache5HttpClient.Builder http) {
        Duration limit = options.requestTimeout();
        S3ClientBuilder client = S3Client.builder()
                .region(region(options))
                .credentialsProvider(credentials)
                .forcePathStyle(pathStyle(options))
                .overrideConfiguration(c -> c.retryStrategy(AwsRetryStrategy.doNotRetry()))
                // The newer checksums, and the chunked bodies that carry them, are unknown to older servers.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(c -> c.chunkedEncodingEnabled(false))
                .addPlugin(LegacyMd5Plugin.create())
                .httpClientBuilder(http.maxConnections(MAX_CONNECTIONS)
                        .connectionMaxIdleTime(MAX_IDLE)
                        .connectionTimeout(limit)
                        .connectionAcquisitionTimeout(limit)
                        .socketTimeout(limit)
                        // A server that refuses early closes the connection, and the next request on it would break.
                        .expectContinueEnabled(false));
        options.endpoint().ifPresent(client::endpointOverride);
        return client.build();
    }

    private static boolean pathStyle(S3Options options) {
        return switch (options.addressing()) {
            case AUTO -> options.endpoint().isPresent();
            case PATH -> true;
            case VIRTUAL_HOST -> false;
        };
    }

    private static Region region(S3Options options) {
        Optional<String> named = options.region();
        if (named.isPresent()) {
            return Region.of(named.get());
        }
        if (options.endpoint().isPresent()) {
            // Other servers hardly care, so the network is not searched for it.
            return find(new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider()))
                    .orElse(Region.US_EAST_1);
        }
        return find(new DefaultAwsRegionProviderChain())
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot reach S3",
                        "no region is configured",
                        "set s3_region or AWS_REGION to the region of the bucket"));
    }

    private static Optional<Region> find(AwsRegionProvider provider) {
        try {
            return Optional.ofNullable(provider.getRegion());
        } catch (SdkClientException e) {
            return Optional.empty();
        }
    }
}
