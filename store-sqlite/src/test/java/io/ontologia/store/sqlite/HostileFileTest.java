package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose definitions were made to run with our statements are refused or found, and never run for long. */
@Timeout(60)
class HostileFileTest {
    private static final Model MODEL = Model.of(new EntityType(
            "Item",
            List.of(
                    FieldDef.of("id", Primitive.STR),
                    FieldDef.of("n", Primitive.INT).withIndex()),
            "id"));
    private static final SessionOptions READ_ONLY =
            SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));
    private static final String ENDLESS = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)";

    @TempDir
    Path folder;

    private RawFile file;

    @BeforeEach
    void fill() {
        file = new RawFile(folder.resolve("onto.db"));
        write(file.uri(), 1);
        write(file.uri(), 2);
    }

    private static void write(String uri, long n) {
        try (Session session = Ontologia.open(uri, SessionOptions.defaults(), MODEL)) {
            session.ensure(new Row.OfEntity("Item", "a", Map.of("n", n)));
            session.commit();
        }
    }

    private static long count(String uri) {
        try (Session session = Ontologia.open(uri, READ_ONLY, MODEL)) {
            return session.entities("Item").count();
        }
    }

    private static List<Finding> check(String uri) {
        try (Maintenance maintenance = Ontologia.maintain(uri, READ_ONLY)) {
            return maintenance.check(Progress.none());
        }
    }

    private static void assertRefused(ThrowingCallable work, String cause) {
        assertThatThrownBy(work).isInstanceOfSatisfying(OntologiaException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT);
            assertThat(e).hasMessageContaining(cause);
        });
    }

    @Test
    void a_file_of_ours_has_nothing_foreign() {
        assertThat(check(file.uri())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TRIGGER evil AFTER INSERT ON entity_history BEGIN DELETE FROM entity_history; END",
                "CREATE TRIGGER evil AFTER INSERT ON Commits BEGIN DELETE FROM entity_history; END",
                "CREATE TRIGGER onto_entity_history_insert AFTER INSERT ON entity_history BEGIN SELECT 1; END"
            })
    void a_trigger_on_our_tables_is_found_and_nothing_is_written(String trigger) {
        file.execute(trigger);

        assertThat(check(file.uri())).extracting(Finding::code).containsExactly("foreign-trigger");
        assertThat(count(file.uri())).isEqualTo(1);
        assertRefused(() -> write(file.uri(), 3), "is not part of the store");
        assertThat(file.column("SELECT count(*) FROM entity_history")).containsExactly("2");
    }

    @Test
    void a_trigger_of_ours_with_other_statements_is_foreign() {
        file.execute(
                "DROP TRIGGER onto_entity_history_update",
                "CREATE TRIGGER onto_entity_history_update AFTER INSERT ON entity_history BEGIN"
                        + " DELETE FROM entity_history; END");

        assertThat(check(file.uri())).extracting(Finding::code).containsExactly("foreign-trigger");
        assertRefused(() -> write(file.uri(), 3), "onto_entity_history_update");
    }

    @Test
    void what_others_define_beside_the_store_is_listed_and_does_no_harm() {
        file.execute(
                "CREATE TABLE mine (i)",
                "CREATE TRIGGER mine_too AFTER INSERT ON mine BEGIN SELECT 1; END",
                "CREATE VIEW report AS " + ENDLESS + " SELECT i FROM r",
                "CREATE INDEX more ON entity_history(commit_id)");

        write(file.uri(), 3);

        assertThat(check(file.uri()))
                .extracting(Finding::code)
                .containsExactlyInAnyOrder("foreign-definition", "foreign-view", "foreign-index");
        assertThat(check(file.uri())).noneMatch(Finding::isProblem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE VIEW commits AS " + ENDLESS
                        + " SELECT i AS id, '2026-01-01T00:00:00Z' AS created_at, NULL AS metadata_json FROM r",
                "CREATE VIEW Commits AS SELECT * FROM moved",
                "CREATE VIRTUAL TABLE commits USING fts5(id, created_at, metadata_json)",
                "CREATE TABLE commits (id INTEGER PRIMARY KEY, created_at TEXT AS (hex(zeroblob(1000000000))),"
                        + " metadata_json TEXT)"
            })
    void nothing_but_a_plain_table_is_taken_for_one(String definition) {
        file.execute("PRAGMA legacy_alter_table = ON", "ALTER TABLE commits RENAME TO moved", definition);

        assertRefused(() -> count(file.uri()), "'");
        assertRefused(() -> check(file.uri()), "'");
        assertRefused(() -> write(file.uri(), 3), "'");
    }

    @Test
    void a_view_in_place_of_event_tables_is_refused() {
        file.execute("DROP TABLE events", "CREATE VIEW events AS " + ENDLESS + " SELECT i AS id FROM r");

        assertRefused(() -> count(file.uri()), "is a view");
    }

    @Test
    void a_file_that_is_truncated_while_it_is_read_fails_and_the_process_goes_on() throws Exception {
        String uri = file.uri();
        try (Session session = Ontologia.open(uri, SessionOptions.defaults(), MODEL)) {
            for (int i = 0; i < 3_000; i++) {
                session.ensure(new Row.OfEntity("Item", "key " + i, Map.of("n", (long) i)));
            }
            session.commit();
        }
        assertThatThrownBy(() -> readWhileTruncated(uri)).isInstanceOf(OntologiaException.class);
        assertThatThrownBy(() -> count(uri)).isInstanceOf(OntologiaException.class);
    }

    private void readWhileTruncated(String uri) throws IOException {
        try (Session session = Ontologia.open(uri, READ_ONLY, MODEL);
                var rows = session.entities("Item").stream()) {
            var iterator = rows.iterator();
            iterator.next();
            try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
                channel.truncate(8192);
            }
            iterator.forEachRemaining(row -> {});
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a?mode=memory.db", "b?cache_size=1&journal_mode=OFF.db", "c%3fd.db", "e#f g.db", "é.db"})
    void a_path_is_never_taken_for_options(String name) {
        Path path = folder.resolve(name);
        String uri = "sqlite:///" + path;

        write(uri, 1);

        assertThat(path).exists();
        assertThat(count(uri)).isEqualTo(1);
        assertThat(folder.toFile().list()).allMatch(entry -> entry.startsWith(name) || entry.startsWith("onto.db"));
    }

    @Test
    void a_damaged_file_ends_in_a_finding_or_a_refusal() throws Exception {
        byte[] bytes = Files.readAllBytes(file.path());
        for (int page = 1; page < bytes.length / 4096; page += 3) {
            byte[] damaged = bytes.clone();
            for (int i = page * 4096; i < page * 4096 + 120; i++) {
                damaged[i] = (byte) (i * 31);
            }
            Path copy = folder.resolve("damaged" + page + ".db");
            Files.write(copy, damaged);
            try {
                assertThat(check("sqlite:///" + copy))
                        .describedAs("page %s", page)
                        .isNotEmpty();
            } catch (OntologiaException e) {
                assertThat(e.kind()).describedAs("page %s", page).isEqualTo(ErrorKind.CORRUPT);
            }
        }
    }
}
