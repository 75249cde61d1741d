package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server with 32 MB of memory. */
class ServerMemoryIT {
    private Process process;
    private Http http;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallServer.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        http = new Http(URI.create(out.readLine()));
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
    }

    @Test
    void what_it_remembers_of_attempts_does_not_depend_on_what_clients_send() {
        String path = "/v2/names/mydb/concerns/head?secrets=" + "x".repeat(14_000);
        for (int i = 0; i < 3_000; i++) {
            HttpResponse<String> refused = http.post(path, "{}", "Ontologia-Attempt", "attempt-" + i);
            assertThat(refused.statusCode()).isEqualTo(400);
        }

        assertThat(http.get("/v2/names/mydb").statusCode()).isEqualTo(200);
    }

    @Test
    void a_request_that_takes_all_memory_ends_the_process() throws InterruptedException {
        try {
            http.get("/v2/names/hungry");
        } catch (AssertionError e) {
            assertThat(e).hasMessage("no reply");
        }

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(SmallServer.OUT_OF_MEMORY);
    }
}
