package io.ontologia.cli.internal.ns;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Onto;
import io.ontologia.cli.OntoRun;
import io.ontologia.kernel.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users of the machine may do at a server on loopback. */
class NsServeCommandTest {
    @TempDir
    private Path folder;

    private String uri = "";
    private @Nullable Thread server;

    @BeforeEach
    void records() {
        uri = "file://" + folder.resolve("names");
        remote(uri, "", "create", "mydb").succeeded();
        remote(uri, "", "push", "mydb", "config", "--payload", "{\"password\":\"hidden\"}")
                .succeeded();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (server != null) {
            server.interrupt();
            server.join();
        }
    }

    private String serve(String... options) throws IOException {
        List<String> line = new ArrayList<>(List.of("ns", "serve", "--port", "0"));
        line.addAll(List.of(options));
        PipedInputStream heard = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(heard), true, StandardCharsets.UTF_8);
        Onto onto = new Onto(
                Map.of("ONTOLOGIA_NAMESERVICE_URI", uri),
                InputStream.nullInputStream(),
                out,
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                Clock.system());
        server = new Thread(() -> {
            onto.run(line.toArray(String[]::new));
            out.close();
        });
        server.start();
        String said = new BufferedReader(new InputStreamReader(heard, StandardCharsets.UTF_8)).readLine();
        return said.substring(said.indexOf("http://"));
    }

    private static OntoRun remote(String uri, String token, String... arguments) {
        List<String> line = new ArrayList<>(List.of("ns"));
        line.addAll(List.of(arguments));
        return OntoRun.in(Map.of("ONTOLOGIA_NAMESERVICE_URI", uri, "ONTOLOGIA_NAMESERVICE_TOKEN", token))
                .run(line.toArray(String[]::new));
    }

    @Test
    void without_tokens_records_can_be_read_and_not_changed() throws IOException {
        String http = serve();

        assertThat(remote(http, "", "show", "mydb", "--json").succeeded().out()).doesNotContain("hidden");
        assertThat(remote(http, "", "show", "mydb", "--show-secrets").exitCode())
                .isEqualTo(5);
        assertThat(remote(http, "", "create", "more").exitCode()).isEqualTo(5);
        assertThat(remote(uri, "", "list", "--json").column("pk")).containsExactly("mydb:main");
    }

    @Test
    void changes_without_a_token_can_be_allowed() throws IOException {
        String http = serve("--write-without-token");

        remote(http, "", "create", "more").succeeded();
        remote(http, "", "push", "more", "status", "--payload", "{\"state\":\"busy\"}")
                .succeeded();
        remote(http, "", "retract", "more").succeeded();
        remote(http, "", "purge", "more", "--apply").succeeded();
        OntoRun secrets =
                remote(http, "", "export", "--output", folder.resolve("out").toString());
        OntoRun config = remote(http, "", "push", "mydb", "config", "--payload", "{}");

        assertThat(secrets.exitCode()).isEqualTo(5);
        assertThat(secrets.err()).contains("asks for secrets");
        assertThat(config.exitCode()).isEqualTo(5);
        assertThat(remote(uri, "", "show", "mydb", "--show-secrets", "--json").at("config", "password"))
                .isEqualTo("hidden");
    }

    @Test
    void records_of_a_server_are_followed() throws IOException {
        remote(uri, "", "create", "other").succeeded();
        String http = serve();

        OntoRun seen =
                remote(http, "", "watch", "mydb", "--for", "2s", "--json").succeeded();

        assertThat(seen.at(0, "event")).isEqualTo("snapshot");
        assertThat(seen.at(0, "record", "pk")).isEqualTo("mydb:main");
        assertThat(seen.out()).doesNotContain("hidden", "other:main");
    }

    @Test
    void a_server_refuses_to_retract_what_others_depend_on() throws IOException {
        remote(uri, "", "create", "vg:search", "--type", "vg:bm25", "--dep", "mydb")
                .succeeded();
        String http = serve("--write-without-token");

        OntoRun refused = remote(http, "", "retract", "mydb");

        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(refused.err()).contains("vg:search:main");
        remote(http, "", "retract", "mydb", "--force").succeeded();
        assertThat(remote(http, "", "purge", "mydb", "--apply").exitCode()).isEqualTo(4);
        remote(http, "", "purge", "mydb", "--apply", "--force").succeeded();
    }

    @Test
    void a_token_file_gives_its_owner_access() throws IOException {
        Path file = folder.resolve("private/names.token");
        String http = serve("--token-file", file.toString());
        String token = Files.readString(file).strip();

        remote(http, token, "create", "more").succeeded();
        assertThat(remote(http, token, "show", "mydb", "--show-secrets").out()).contains("hidden");
        assertThat(remote(http, "", "list").exitCode()).isEqualTo(5);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_token_file_that_others_can_read_is_refused() throws IOException {
        Path file = Files.writeString(folder.resolve("names.token"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        OntoRun refused = remote(uri, "", "serve", "--port", "0", "--token-file", file.toString());

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("other users can read").doesNotContain("0123456789");
    }

    @Test
    void tokens_and_changes_without_them_exclude_each_other() {
        OntoRun refused = remote(
                uri,
                "",
                "serve",
                "--write-without-token",
                "--token-file",
                folder.resolve("t").toString());

        assertThat(refused.exitCode()).isEqualTo(2);
    }
}
