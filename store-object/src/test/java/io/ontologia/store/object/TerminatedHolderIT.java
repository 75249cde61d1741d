package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is asked to end while it holds the write lock gives it back. */
class TerminatedHolderIT {
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    @TempDir
    Path folder;

    /** The process: commits, takes the lock, says so, and waits. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            try (Session session = Ontologia.open(args[0], SessionOptions.defaults(), Model.of(NOTE))) {
                session.ensure(new Row.OfEntity("Note", "a", Map.of()));
                session.commit();
                session.lock().acquire();
                System.out.println("ready");
                System.in.read();
            }
        }
    }

    @Test
    void the_lock_is_free_as_soon_as_the_process_is_gone() throws Exception {
        String uri = folder.resolve("store").toUri().toString();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dontologia.cache.dir=" + folder.resolve("cache"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        uri)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("ready");
            try (Maintenance operator = Ontologia.maintain(uri, SessionOptions.defaults())) {
                assertThat(operator.lock().holder()).isPresent();

                process.destroy();

                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(operator.lock().holder()).isEmpty();
                assertThat(operator.storage().head()).isEqualTo(1);
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
