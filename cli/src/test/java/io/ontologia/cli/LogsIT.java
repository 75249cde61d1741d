package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.S3TestServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console logs, at its most talkative. */
class LogsIT {
    @TempDir
    private Path folder;

    @Test
    void logs_have_no_credentials_at_any_level() throws Exception {
        try (S3TestServer s3 = S3Server.start()) {
            s3.createBucket("logs");
            Path config = Files.writeString(
                    folder.resolve("onto.yaml"),
                    "cache_dir: " + folder.resolve("cache") + "\ns3_region: us-east-1\ns3_endpoint_url: "
                            + s3.endpoint() + "\n");
            Map<String, String> environment = new HashMap<>(s3.environment());
            environment.put("AWS_SESSION_TOKEN", "hidden-session-token");
            environment.put("ONTOLOGIA_CONFIG", config.toString());
            environment.put("ONTOLOGIA_LOG_LEVEL", "trace");

            OntoRun run = OntoProcess.in(environment).run("init", "--storage-uri", "s3://logs/store");

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err())
                    .doesNotContain("hidden-session-token", "Authorization", "Signature", "X-Amz-Security-Token");
        }
    }

    private SessionOptions options() {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults()
                        .settings(Map.of("cache_dir", folder.resolve("cache").toString())));
    }

    record Note(@Key String id) implements Entity {}

    @Test
    void a_listing_that_leaves_out_a_damaged_event_says_so_at_the_default_level() throws Exception {
        Path store = folder.resolve("store");
        try (Session session = Ontologia.open(store.toUri().toString(), options(), Note.class)) {
            session.ensure(new Note("n1"));
            session.commit(
                    Map.of(),
                    Outbox.of(
                            NewEvent.of("shop", "order", Map.of("n", 1)),
                            NewEvent.of("shop", "order", Map.of("n", 2))));
        }
        Path event;
        try (Stream<Path> files = Files.walk(store)) {
            event = files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/events/"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(event, Files.readString(event).replace("order", "ordet"));

        Path config = Files.writeString(folder.resolve("onto.yaml"), "cache_dir: " + folder.resolve("cache") + "\n");
        OntoRun run = OntoProcess.in(Map.of("ONTOLOGIA_CONFIG", config.toString()))
                .run(
                        "events",
                        "show",
                        "--namespace",
                        "shop",
                        "--storage-uri",
                        store.toUri().toString());

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("cannot be read").contains("onto fsck");
    }

    @Test
    void logs_do_not_steer_the_terminal() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream logs = new PrintStream(new EscapedOutput(bytes), true, StandardCharsets.UTF_8);

        logs.print("name=\033[2J");
        logs.println("\u202eé");
        logs.println("\tat x");

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("name=\\u001b[2J\\u202eé\n\tat x\n");
    }
}
