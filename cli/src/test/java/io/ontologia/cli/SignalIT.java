package io.ontologia.cli;

import static io.ontologia.cli.Workspace.product;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.SessionOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Ctrl-C and SIGTERM do to a command. */
@DisabledOnOs(OS.WINDOWS)
class SignalIT {
    @TempDir
    Path folder;

    private Path pipe() throws Exception {
        Path pipe = folder.resolve("input.jsonl");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    /** An import that reads from a pipe, and what it writes to standard error. */
    private static final class Import implements AutoCloseable {
        private final Process process;
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private final Thread reading;

        Import(Map<String, String> environment, Workspace shop, Path pipe) throws IOException {
            Path models = shop.file("models.yaml", Workspace.SHOP_MODEL);
            process = OntoProcess.in(environment)
                    .start(
                            "import",
                            "--input",
                            pipe.toString(),
                            "--models",
                            models.toString(),
                            "--storage-uri",
                            shop.uri(),
                            "--apply",
                            "--on-conflict",
                            "upsert");
            InputStream stream = process.getErrorStream();
            ByteArrayOutputStream target = err;
            reading = new Thread(() -> collect(stream, target));
            reading.start();
        }

        private static void collect(InputStream stream, ByteArrayOutputStream target) {
            try {
                stream.transferTo(target);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String err() {
            return err.toString(StandardCharsets.UTF_8);
        }

        /** Sends a signal and waits for the end. */
        int signal(String name) throws Exception {
            String pid = Long.toString(process.pid());
            assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor())
                    .isZero();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            reading.join();
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource({"SQLITE, INT, 130", "SQLITE, TERM, 143", "FOLDER, INT, 130", "FOLDER, TERM, 143"})
    void an_import_that_is_interrupted_while_it_reads_says_that_nothing_was_stored(
            Backend backend, String name, int exitCode) throws Exception {
        Workspace shop = new Workspace(folder, backend);
        Path pipe = pipe();
        try (Import running = new Import(Map.of(), shop, pipe);
                // Opening a pipe for writing waits until the process has opened it for reading.
                OutputStream input = Files.newOutputStream(pipe)) {
            input.write((product("p1", "One") + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();

            assertThat(running.signal(name)).isEqualTo(exitCode);
            assertThat(running.err()).isEqualTo("interrupted: nothing was stored\n");
        }
        try (Maintenance after = Ontologia.maintain(shop.uri(), SessionOptions.defaults())) {
            assertThat(after.lock().holder()).isEmpty();
        }
    }

    @Test
    void the_progress_line_is_removed_before_anything_is_said() throws Exception {
        Workspace shop = new Workspace(folder);
        Path pipe = pipe();
        byte[] line = (product("p1", "One") + "\n").getBytes(StandardCharsets.UTF_8);
        try (Import running = new Import(Map.of("ONTOLOGIA_TERMINAL", "err", "NO_COLOR", "1"), shop, pipe);
                OutputStream input = Files.newOutputStream(pipe)) {
            while (!running.err().contains("reading")) {
                input.write(line);
                input.flush();
            }
            running.signal("INT");

            assertThat(running.err()).contains("\rreading").endsWith("\r\033[Kinterrupted: nothing was stored\n");
        }
    }
}
