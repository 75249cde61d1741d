package io.ontologia.cli.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoProcess;
import io.ontologia.cli.OntoRun;
import io.ontologia.kernel.JsonObject;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.testkit.S3Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCheckS3IT {
    private static S3Server server;

    /** Long enough for any machine; the tests that wait for it to run out set a shorter one. */
    private int timeoutSeconds = 60;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("bucket");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void a_good_bucket_passes_and_is_left_as_it_was() throws IOException {
        OntoRun run = check("s3://bucket/good", server.endpoint().toString(), "--json");

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
        JsonObject report = JsonObject.of("report", run.json());
        assertThat(report.bool("ok")).isTrue();
        assertThat(report.text("location")).isEqualTo("s3://bucket/good");
        assertThat(report.text("conditional_create")).isEqualTo("enforced");
        assertThat(report.text("conditional_replace")).isEqualTo("enforced");
        try (ObjectStore store = server.open("s3://bucket/good")) {
            assertThat(store.list(ListRequest.of("")).objects()).isEmpty();
        }
    }

    @Test
    void a_missing_bucket_is_named() throws IOException {
        OntoRun run = check("s3://nowhere", server.endpoint().toString()).failedWith(4);

        assertThat(run.err()).contains("there is no bucket 'nowhere' at " + server.endpoint(), "Create it");
    }

    @Test
    void an_unreachable_endpoint_is_reported_within_the_timeout() throws IOException {
        timeoutSeconds = 5;

        OntoRun run = check("s3://bucket", "http://127.0.0.1:" + unusedPort()).failedWith(5);

        assertThat(run.err()).contains("cannot connect to http://127.0.0.1:", "Check s3_endpoint_url");
    }

    @Test
    void a_server_that_does_not_answer_is_reported_within_the_timeout() throws IOException {
        timeoutSeconds = 2;

        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            OntoRun run = check("s3://bucket", "http://127.0.0.1:" + silent.getLocalPort())
                    .failedWith(5);

            assertThat(run.err()).contains("the reply to a write was lost", "Check the connection");
        }
    }

    @Test
    void a_store_that_ignores_conditional_writes_fails_the_check_and_keeps_nothing() throws IOException {
        try (ForgetfulS3 forgetful = new ForgetfulS3()) {
            OntoRun text = check("s3://bucket", forgetful.endpoint()).failedWith(3);
            OntoRun json = check("s3://bucket", forgetful.endpoint(), "--json");

            assertThat(text.err())
                    .startsWith("error: cannot use the store s3://bucket: it ignores If-None-Match on PUT")
                    .contains("Use a server that enforces conditional writes");
            assertThat(json).returns(3, OntoRun::exitCode).returns("", OntoRun::err);
            assertThat(json.jsonErrorMessage()).contains("If-None-Match");
            assertThat(forgetful.objects()).isEmpty();
        }
    }

    @Test
    void refused_credentials_are_reported_without_showing_them() throws Exception {
        Map<String, String> environment = new HashMap<>(server.environment());
        environment.put("AWS_SECRET_ACCESS_KEY", "not-the-secret");
        Path config = config(server.endpoint().toString());

        OntoRun run = OntoProcess.in(environment)
                .run("store", "check", "--storage-uri", "s3://bucket", "--config", config.toString())
                .failedWith(5);

        assertThat(run.err()).contains("denied access", "Check the credentials").doesNotContain("not-the-secret");
    }

    @Test
    void missing_credentials_are_reported_with_where_to_put_them() throws Exception {
        Map<String, String> environment =
                Map.of("AWS_EC2_METADATA_DISABLED", "true", "HOME", folder.toString(), "AWS_PROFILE", "none");
        Path config = config(server.endpoint().toString());

        OntoRun run = OntoProcess.in(environment)
                .run("store", "check", "--storage-uri", "s3://bucket", "--config", config.toString())
                .failedWith(5);

        assertThat(run.err()).contains("no credentials were found", "AWS_ACCESS_KEY_ID");
    }

    private OntoRun check(String uri, String endpoint, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of(
                "store",
                "check",
                "--storage-uri",
                uri,
                "--config",
                config(endpoint).toString()));
        args.addAll(List.of(more));
        return OntoRun.onto(args.toArray(String[]::new));
    }

    private Path config(String endpoint) throws IOException {
        return Files.writeString(
                folder.resolve("onto.yaml"),
                "s3_endpoint_url: " + endpoint + "\ns3_region: us-east-1\ns3_request_timeout_s: " + timeoutSeconds
                        + "\n");
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
