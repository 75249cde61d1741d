package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a writer logs that is alone and has no trouble: nothing. */
class QuietWriterIT {
    @TempDir
    Path folder;

    record Reading(@Key String id, long value) implements Entity {}

    record Sensor(@Key String id, String place) implements Entity {}

    /** Commits one row after the other, of two types by turns, and reads between. */
    public static final class Writer {
        private Writer() {}

        /** The store is the first argument. */
        public static void main(String[] args) {
            try (Session session = Ontologia.open(args[0], Reading.class, Sensor.class)) {
                for (int i = 0; i < 150; i++) {
                    session.ensure(i % 10 == 0 ? new Sensor("s" + i, "roof") : new Reading("r" + i % 7, i));
                    session.commit();
                    if (i % 20 == 0) {
                        session.entities(Sensor.class).list();
                    }
                }
            }
            try (Session again = Ontologia.open(args[0], Reading.class, Sensor.class)) {
                again.ensure(new Reading("r1", -1));
                again.commit();
            }
        }
    }

    @Test
    void one_writer_alone_logs_nothing_on_a_folder() throws Exception {
        assertThat(logOf("file://" + folder)).isEmpty();
    }

    @Test
    void one_writer_alone_logs_nothing_on_sqlite() throws Exception {
        assertThat(logOf("sqlite:///" + folder.resolve("onto.db"))).isEmpty();
    }

    private static String logOf(String uri) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        uri))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String log = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(log).isZero();
        return log;
    }
}
