package io.ontologia.cli.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.testkit.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does first with a bucket. */
class FirstStepsOnS3IT {
    @TempDir
    Path folder;

    @Test
    void a_bucket_is_prepared_filled_asked_and_kept_in_shape() throws IOException {
        Path models = Files.writeString(folder.resolve("models.yaml"), Workspace.SHOP_MODEL);
        Path input = Files.writeString(folder.resolve("in.jsonl"), Workspace.product("p1", "Analytics") + "\n");
        try (S3Server server = S3Server.start()) {
            server.createBucket("bucket");
            String endpoint = server.endpoint().toString();

            OntoRun missing = onto(endpoint, "info").failedWith(4);
            OntoRun init = onto(endpoint, "init", "--json");
            OntoRun imported = onto(
                    endpoint,
                    "import",
                    "--input",
                    input.toString(),
                    "--models",
                    models.toString(),
                    "--apply",
                    "--on-conflict",
                    "abort");
            OntoRun rows = onto(endpoint, "query", "entities", "Product", "--json");
            OntoRun info = onto(endpoint, "info", "--stats", "--json");

            assertThat(missing.err()).contains("s3://bucket/shop", "onto init");
            assertThat(init.succeeded().json()).isEqualTo(Map.of("backend", "s3", "initialized", true));
            imported.succeeded();
            assertThat(rows.succeeded().column("key")).containsExactly("p1");
            assertThat(info.succeeded().at("backend")).isEqualTo("s3");
            assertThat(info.at("head_commit_id")).isEqualTo(1L);
            onto(endpoint, "index", "verify").succeeded();
            onto(endpoint, "compact", "--apply").succeeded();
            onto(endpoint, "gc").succeeded();
            onto(endpoint, "fsck").succeeded();
            onto(endpoint, "lock", "show").succeeded();
        }
    }

    @Test
    void a_server_that_ignores_conditions_is_refused_by_init() throws IOException {
        try (ForgetfulS3 forgetful = new ForgetfulS3()) {
            OntoRun refused = onto(forgetful.endpoint(), "init").failedWith(3);

            assertThat(refused.err()).contains("it ignores If-None-Match on PUT");
            assertThat(forgetful.objects()).isEmpty();
        }
    }

    private OntoRun onto(String endpoint, String... args) throws IOException {
        Path config = Files.writeString(
                folder.resolve("onto.yaml"),
                "storage_uri: s3://bucket/shop\ns3_endpoint_url: " + endpoint
                        + "\ns3_region: us-east-1\ns3_request_timeout_s: 60\n");
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of("--config", config.toString()));
        return OntoRun.onto(all.toArray(String[]::new));
    }
}
