package io.ontologia.testkit;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.S3Options;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A real S3 server on this machine, for tests. It lets in whoever has the credentials that the system properties {@code
 * aws.accessKeyId} and {@code aws.secretAccessKey} hold; starting one sets them when they are not set, and keeps the AWS
 * SDK from searching the network for others. So every store that this process opens finds them.
 */
public interface S3TestServer extends AutoCloseable {

    /** Where it listens. */
    URI endpoint();

    /** How a store reaches it. The time limit is wide, so that outcomes do not depend on how busy this machine is. */
    default S3Options options() {
        return S3Options.defaults()
                .region(Region.US_EAST_1.id())
                .endpoint(endpoint())
                .requestTimeout(Duration.ofMinutes(2));
    }

    /** Opens the store at {@code s3://bucket/prefix}; the bucket must have been created. */
    default ObjectStore open(String uri) {
        return ObjectStores.open(uri, ObjectStoreOptions.defaults().s3(options()));
    }

    /** Creates a bucket. */
    default void createBucket(String name) {
        try (S3Client client = S3Client.builder()
                .endpointOverride(endpoint())
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .build()) {
            client.createBucket(request -> request.bucket(name));
        }
    }

    /** The environment in which another process finds the credentials. */
    default Map<String, String> environment() {
        return S3TestCredentials.ofThisProcess().environment();
    }

    /** Stops the server; what it held is gone. */
    @Override
    void close();
}
