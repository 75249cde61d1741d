package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An object of a size that no store needs is damage, and is never read into memory. */
class OversizedObjectsTest {
    private static final Model MODEL = Model.of(
            new EntityType("Item", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id"));
    private static final SessionOptions READ_ONLY =
            SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));

    @TempDir
    Path folder;

    private String uri = "";

    @BeforeEach
    void fill() {
        uri = folder.resolve("store").toUri().toString();
        try (Session session = Ontologia.open(uri, SessionOptions.defaults(), MODEL)) {
            session.ensure(new Row.OfEntity("Item", "a", Map.of("n", 1L)));
            session.commit();
        }
    }

    @Test
    void every_document_of_a_store_has_a_limit() throws IOException {
        List<Path> documents;
        try (Stream<Path> all = Files.walk(folder.resolve("store"))) {
            documents = all.filter(path -> path.toString().endsWith(".json"))
                    .filter(path -> !path.toString().contains("/.onto"))
                    .toList();
        }
        assertThat(documents).hasSizeGreaterThan(4);
        for (Path document : documents) {
            byte[] before = Files.readAllBytes(document);
            // A hole that takes no room on the disk; to read it whole would need twice as much memory as a test has.
            try (RandomAccessFile file = new RandomAccessFile(document.toFile(), "rw")) {
                file.setLength(1_500L << 20);
            }
            try {
                assertCorruptOrUnneeded(document, this::count);
                assertCorruptOrUnneeded(document, this::check);
            } finally {
                Files.write(document, before);
            }
        }
    }

    private interface Work {
        void run();
    }

    private static void assertCorruptOrUnneeded(Path document, Work work) {
        try {
            work.run();
        } catch (OntologiaException e) {
            assertThat(e.kind()).describedAs("%s: %s", document, e.getMessage()).isEqualTo(ErrorKind.CORRUPT);
        }
    }

    private void count() {
        try (Session session = Ontologia.open(uri, READ_ONLY, MODEL)) {
            assertThat(session.entities("Item").count()).isEqualTo(1);
        }
    }

    private void check() {
        try (Maintenance maintenance = Ontologia.maintain(uri, READ_ONLY)) {
            maintenance.check(Progress.none());
        }
    }

    @Test
    void a_head_of_more_than_64_kilobytes_is_refused() throws IOException {
        Path head = folder.resolve("store/meta/head.json");
        Files.writeString(head, Files.readString(head).replaceFirst("\\{", "{" + " ".repeat(70_000)));

        assertThatThrownBy(this::count)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining("at most 65536");
    }

    @Test
    void what_could_not_be_read_again_is_not_written() {
        String large = "x".repeat(17 << 20);
        try (Session session = Ontologia.open(uri, SessionOptions.defaults(), MODEL)) {
            session.ensure(new Row.OfEntity("Item", "b", Map.of("n", 1L)));

            assertThatThrownBy(() -> session.commit(Map.of("a", large, "b", large, "c", large, "d", large)))
                    .isInstanceOf(OntologiaException.class)
                    .hasMessageContaining("an object of this kind has at most");
        }
        count();
    }
}
