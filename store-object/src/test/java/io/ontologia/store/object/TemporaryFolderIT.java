package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine's library passes through the temporary folder of the system. */
class TemporaryFolderIT {
    @TempDir
    Path folder;

    @Test
    void a_missing_temporary_folder_is_named_with_a_remedy() throws Exception {
        Path missing = folder.resolve("missing");
        List<String> lines = new CopyOnWriteArrayList<>();
        try (ChildJvm child = new ChildJvm(Opener.class, "128m", missing, lines::add, cache())) {
            assertThat(child.await()).isZero();
        }
        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("UNAVAILABLE")
                        .contains(missing.toString())
                        .contains("java.io.tmpdir"));
    }

    @Test
    void a_killed_process_leaves_no_library_behind() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "the system names what is mapped");
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        CountDownLatch open = new CountDownLatch(1);
        try (ChildJvm child = new ChildJvm(Opener.class, "128m", temporary, line -> open.countDown(), cache())) {
            open.await();
            child.kill();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("libduckdb"));
        }
    }

    private String cache() {
        return folder.resolve("cache").toString();
    }

    /** Opens a store, and waits until its input ends. */
    static final class Opener {
        public static void main(String[] arguments) throws Exception {
            EntityType type = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");
            SessionOptions options = SessionOptions.defaults()
                    .storage(StorageOptions.defaults().settings(Map.of("cache_dir", arguments[0])));
            try (Session session = Ontologia.open("memory:", options, Model.of(type))) {
                System.out.println("open at commit " + session.head());
                System.in.read();
            } catch (OntologiaException e) {
                System.out.println(e.kind() + " " + e.getMessage());
            }
        }
    }
}
