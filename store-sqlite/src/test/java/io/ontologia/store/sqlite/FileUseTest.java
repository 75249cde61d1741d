package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the store does to files, and what it leaves alone. */
class FileUseTest {
    record Thing(@Key String id, int value) implements Entity {}

    @TempDir
    Path folder;

    private String uri() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    private static SessionOptions mode(StorageOptions.Mode mode) {
        return SessionOptions.defaults().storage(StorageOptions.defaults().mode(mode));
    }

    private void fill(int rows) {
        try (Session session = Ontologia.open(uri(), Thing.class)) {
            session.ensureAll(IntStream.range(0, rows).mapToObj(i -> new Thing("t" + i, i)));
            session.commit();
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void a_closed_store_is_one_file() throws Exception {
        fill(10);

        assertThat(files()).containsExactly("onto.db");
    }

    @Test
    void opening_again_changes_no_byte() throws Exception {
        fill(10);
        byte[] before = Files.readAllBytes(folder.resolve("onto.db"));

        try (Session session = Ontologia.open(uri(), Thing.class)) {
            assertThat(session.entities(Thing.class).count()).isEqualTo(10);
            session.ensure(new Thing("t1", 1));
            session.commit();
        }

        assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("onto.db")), before))
                .isTrue();
    }

    @Test
    void reading_changes_no_byte_and_leaves_no_file_behind() throws Exception {
        fill(10);
        byte[] before = Files.readAllBytes(folder.resolve("onto.db"));

        try (Session session = Ontologia.open(uri(), mode(StorageOptions.Mode.READ_ONLY), Thing.class)) {
            assertThat(session.entities(Thing.class).list()).hasSize(10);
            assertThat(session.entities(Thing.class).withHistory().count()).isEqualTo(10);
        }

        assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("onto.db")), before))
                .isTrue();
        assertThat(files()).containsExactly("onto.db");
    }

    @Test
    void reading_leaves_the_log_of_a_killed_writer_as_it_is() throws Exception {
        fill(10);
        Path copy = folder.resolve("killed.db");
        try (Session writer = Ontologia.open(uri(), Thing.class)) {
            writer.ensure(new Thing("more", 1));
            writer.commit();
            for (String suffix : List.of("", "-wal")) {
                Files.copy(folder.resolve("onto.db" + suffix), folder.resolve("killed.db" + suffix));
            }
        }
        byte[] database = Files.readAllBytes(copy);
        byte[] log = Files.readAllBytes(folder.resolve("killed.db-wal"));
        assertThat(log).isNotEmpty();

        try (Session session = Ontologia.open("sqlite:///" + copy, mode(StorageOptions.Mode.READ_ONLY), Thing.class)) {
            assertThat(session.entities(Thing.class).list()).hasSize(11);
        }

        assertThat(Arrays.equals(Files.readAllBytes(copy), database)).isTrue();
        assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("killed.db-wal")), log))
                .isTrue();
    }

    @Test
    void reading_what_is_not_there_makes_nothing() throws Exception {
        assertThatThrownBy(() -> Ontologia.openStored(uri(), mode(StorageOptions.Mode.READ_ONLY)))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND));

        assertThat(files()).isEmpty();
    }

    @Test
    void what_is_no_database_is_refused_and_left_alone() throws Exception {
        Path file = folder.resolve("onto.db");
        Files.writeString(
                file,
                "this is a letter to my aunt, and it is longer than a hundred bytes, so that nobody can"
                        + " take it for a database that is still empty");
        String before = Files.readString(file);

        for (StorageOptions.Mode mode : StorageOptions.Mode.values()) {
            assertThatThrownBy(() -> Ontologia.openStored(uri(), mode(mode)))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                    .hasMessageContaining("not a SQLite database");
        }
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(files()).containsExactly("onto.db");
    }

    @Test
    void a_folder_and_a_missing_folder_are_refused() {
        for (String path : List.of("", "/missing/onto.db")) {
            assertThatThrownBy(() -> Ontologia.open("sqlite:///" + folder + path, Thing.class))
                    .isInstanceOf(OntologiaException.class);
        }
    }

    @Test
    void a_uri_that_names_no_file_is_refused() {
        for (String uri : List.of("sqlite:", "sqlite:onto.db", "sqlite://onto.db", "sqlite:///", "sqlite:///a\0b")) {
            assertThatThrownBy(() -> Ontologia.open(uri, Thing.class))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
        }
        assertThatThrownBy(() -> Ontologia.open("redis://x", Thing.class))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("sqlite:///path.db");
    }

    @Test
    void a_store_in_memory_is_new_each_time() {
        for (int i = 0; i < 2; i++) {
            try (Session session = Ontologia.open("sqlite::memory:", Thing.class)) {
                assertThat(session.head()).isZero();
                session.ensure(new Thing("t", 1));
                session.commit();
                assertThat(session.entities(Thing.class).list()).hasSize(1);
            }
        }
    }

    @Test
    void an_open_stream_holds_its_state_and_one_that_is_closed_early_lets_go() throws Exception {
        fill(5_000);
        try (Session session = Ontologia.open(uri(), Thing.class);
                ForeignFile file = new ForeignFile(folder.resolve("onto.db"))) {
            file.execute("PRAGMA busy_timeout = 0");
            Stream<Thing> stream = session.entities(Thing.class).stream();
            stream.iterator().next();
            session.ensure(new Thing("more", 1));
            session.commit();

            assertThat(file.rows("PRAGMA wal_checkpoint(TRUNCATE)").get(0)).startsWith("1|");
            stream.close();
            assertThat(file.rows("PRAGMA wal_checkpoint(TRUNCATE)").get(0)).startsWith("0|");
        }
    }

    @Test
    void a_session_ends_its_streams_and_they_may_be_closed_after_it() {
        fill(5_000);
        Session session = Ontologia.open(uri(), Thing.class);
        Stream<Thing> stream = session.entities(Thing.class).stream();
        var things = stream.iterator();
        things.next();

        session.close();

        assertThatThrownBy(things::next)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CLOSED));
        stream.close();
    }

    @Test
    void a_result_that_cannot_be_read_does_not_keep_the_state() throws Exception {
        fill(100);
        try (ForeignFile file = new ForeignFile(folder.resolve("onto.db"))) {
            file.commit("2026-01-01T00:00:00Z", null, ForeignFile.entity("Thing", "t50", "{'value':'x'}"));
        }
        try (Session session = Ontologia.open(uri(), Thing.class);
                ForeignFile file = new ForeignFile(folder.resolve("onto.db"))) {
            file.execute("PRAGMA busy_timeout = 0");

            assertThatThrownBy(() -> session.entities(Thing.class).list()).isInstanceOf(OntologiaException.class);

            session.ensure(new Thing("more", 1));
            session.commit();
            assertThat(file.rows("PRAGMA wal_checkpoint(TRUNCATE)").get(0)).startsWith("0|");
        }
    }
}
