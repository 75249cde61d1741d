package io.ontologia.objectstore.internal.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.S3Options;
import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** What users get to see when their storage is not as configured: one clear line, in time. */
@Timeout(60)
class S3ErrorsIT {
    private static final ETag SOME = new ETag("0123abcd");
    private static S3Server server;

    @BeforeAll
    static void startServer() {
        server = S3Server.start();
        server.createBucket("errors");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void a_missing_bucket_is_named(@TempDir Path dir) {
        try (ObjectStore store = server.open("s3://no-such-bucket/prefix")) {
            List<Runnable> operations = new ArrayList<>(operations(store, dir));
            // S3Proxy removes nothing from nowhere, and calls it a success.
            operations.remove(operations.size() - 1);
            assertThat(operations)
                    .allSatisfy(operation -> assertFails(
                            operation, ErrorKind.NOT_FOUND, "there is no bucket 'no-such-bucket'", "create it"));
        }
    }

    @Test
    void a_wrong_secret_is_refused_and_not_shown(@TempDir Path dir) {
        try (ObjectStore store = open(server.options(), credentials("test", "hunter2"))) {
            assertThat(operations(store, dir))
                    .allSatisfy(operation ->
                            assertFails(operation, ErrorKind.UNAVAILABLE, "denied access", "check the credentials"));
        }
    }

    @Test
    void an_unknown_access_key_is_refused_and_not_shown(@TempDir Path dir) {
        try (ObjectStore store = open(server.options(), credentials("hunter2", "testtest"))) {
            assertThat(operations(store, dir))
                    .allSatisfy(operation ->
                            assertFails(operation, ErrorKind.UNAVAILABLE, "denied access", "check the credentials"));
        }
    }

    @Test
    void missing_credentials_are_told_from_refused_ones(@TempDir Path dir) {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.of(() -> {
            throw SdkClientException.create("nothing here");
        });

        try (ObjectStore store = open(server.options(), none)) {
            assertThat(operations(store, dir))
                    .allSatisfy(operation -> assertFails(
                            operation, ErrorKind.UNAVAILABLE, "no credentials were found", "AWS_ACCESS_KEY_ID"));
        }
    }

    @Test
    void a_port_where_nobody_listens_is_unavailable_and_nothing_is_in_doubt(@TempDir Path dir) throws IOException {
        URI nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
        ObjectStoreOptions options = ObjectStoreOptions.defaults()
                .clock(new SettableClock())
                .s3(server.options().endpoint(nobody));

        try (ObjectStore store = new S3ObjectStore("s3://errors", options, credentials("test", "testtest"))) {
            assertThat(operations(store, dir))
                    .allSatisfy(operation -> assertFails(
                            operation, ErrorKind.UNAVAILABLE, "cannot connect to " + nobody, "s3_endpoint_url"));
        }
    }

    @Test
    void a_host_without_an_address_is_unavailable_and_nothing_is_in_doubt(@TempDir Path dir) {
        S3Options options = server.options().endpoint(URI.create("http://nowhere.test:9000"));

        try (ObjectStore store = new S3ObjectStore(
                "s3://errors",
                ObjectStoreOptions.defaults().s3(options),
                credentials("test", "testtest"),
                Apache5HttpClient.builder().dnsResolver(new NoNames()))) {
            assertThat(operations(store, dir))
                    .allSatisfy(operation -> assertFails(
                            operation, ErrorKind.UNAVAILABLE, "http://nowhere.test:9000 has no address", "s3_region"));
        }
    }

    @Test
    void a_server_that_never_answers_leaves_reads_unavailable_and_writes_open(@TempDir Path dir) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ObjectStore store = open(
                        server.options()
                                .endpoint(URI.create("http://127.0.0.1:" + silent.getLocalPort()))
                                .requestTimeout(Duration.ofMillis(100)),
                        credentials("test", "testtest"))) {
            assertFails(() -> store.get("key"), ErrorKind.UNAVAILABLE, "no usable answer in time");
            assertFails(() -> store.download("key", dir.resolve("f")), ErrorKind.UNAVAILABLE, "in time");
            assertFails(() -> store.list(ListRequest.of("")), ErrorKind.UNAVAILABLE, "s3_request_timeout_s");
            assertFails(() -> store.put("key", Payload.of("x")), ErrorKind.UNKNOWN_OUTCOME, "did not confirm");
            assertFails(() -> store.delete("key"), ErrorKind.UNKNOWN_OUTCOME, "did not confirm");
            assertThat(store.putIfAbsent("key", Payload.of("x"))).isInstanceOf(PutOutcome.Unknown.class);
            assertThat(store.putIfMatch("key", Payload.of("x"), SOME)).isInstanceOf(PutOutcome.Unknown.class);
            assertThat(store.deleteIfMatch("key", SOME)).isInstanceOf(DeleteOutcome.Unknown.class);
        }
    }

    @Test
    void a_request_may_take_all_of_its_time_and_an_operation_several_requests() throws Exception {
        try (SlowServer slow = new SlowServer(Duration.ofMillis(1_500));
                ObjectStore store = open(
                        server.options().endpoint(slow.endpoint()).requestTimeout(Duration.ofSeconds(4)),
                        credentials("test", "testtest"))) {
            assertThat(store.get("key").orElseThrow().text()).isEqualTo("late");
        }
    }

    @Test
    void a_server_without_tls_is_told_from_one_that_does_not_listen(@TempDir Path dir) {
        S3Options options = server.options()
                .endpoint(URI.create("https://127.0.0.1:" + server.endpoint().getPort()));

        try (ObjectStore store = open(options, credentials("test", "testtest"))) {
            assertThat(operations(store, dir))
                    .allSatisfy(operation ->
                            assertFails(operation, ErrorKind.UNAVAILABLE, "no secure connection", "https"));
        }
    }

    @Test
    void an_interrupted_thread_stops_reading_and_calls_its_writes_open() {
        try (ObjectStore store = server.open("s3://errors")) {
            Thread.currentThread().interrupt();
            assertFails(() -> store.get("key"), ErrorKind.CLOSED, "interrupted");
            assertThat(Thread.interrupted()).isTrue();

            Thread.currentThread().interrupt();
            PutOutcome outcome = store.putIfAbsent("key", Payload.of("x"));
            assertThat(Thread.interrupted()).isTrue();

            assertThat(outcome).isNotInstanceOf(PutOutcome.Refused.class);
        }
    }

    @Test
    void a_download_into_a_folder_that_does_not_exist_names_the_file(@TempDir Path dir) {
        try (ObjectStore store = server.open("s3://errors")) {
            store.put("download", Payload.of("x"));

            assertFails(
                    () -> store.download("download", dir.resolve("no/such/folder")),
                    ErrorKind.UNAVAILABLE,
                    "cannot write",
                    "no/such/folder");
        }
    }

    private static List<Runnable> operations(ObjectStore store, Path dir) {
        return List.of(
                () -> store.get("key"),
                () -> store.download("key", dir.resolve("target")),
                () -> store.put("key", Payload.of("x")),
                () -> store.putIfAbsent("key", Payload.of("x")),
                () -> store.putIfMatch("key", Payload.of("x"), SOME),
                () -> store.delete("key"),
                () -> store.deleteIfMatch("key", SOME),
                () -> store.list(ListRequest.of("")),
                () -> store.deleteAll(List.of("key")));
    }

    private static void assertFails(Runnable operation, ErrorKind kind, String... hints) {
        assertThatThrownBy(operation::run)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContainingAll(hints)
                .hasMessageNotContaining("hunter2")
                .hasMessageNotContaining("\n");
    }

    private static ObjectStore open(S3Options options, AwsCredentialsProvider credentials) {
        return new S3ObjectStore("s3://errors", ObjectStoreOptions.defaults().s3(options), credentials);
    }

    private static AwsCredentialsProvider credentials(String accessKey, String secret) {
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, secret));
    }

    private static final class NoNames implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            throw new UnknownHostException(host);
        }

        @Override
        public String resolveCanonicalHostname(String host) throws UnknownHostException {
            throw new UnknownHostException(host);
        }
    }
}
