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
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers in a file that no writer of ours stores: no operation counts up to them, and they are reported as damage. */
class HostileNumbersTest {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final Model MODEL = Model.of(new EntityType("Item", List.of(ID), "id"));
    private static final Model OTHER =
            Model.of(new EntityType("Item", List.of(ID, FieldDef.of("n", Primitive.INT)), "id"));

    @TempDir
    Path folder;

    private RawFile file;

    @BeforeEach
    void fill() {
        file = new RawFile(folder.resolve("onto.db"));
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)) {
            for (String key : List.of("a", "b")) {
                session.ensure(new Row.OfEntity("Item", key, Map.of()));
                session.commit();
            }
        }
    }

    private SessionOptions readOnly() {
        return SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));
    }

    private List<String> findings() {
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), readOnly())) {
            return maintenance.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .map(Finding::code)
                    .toList();
        }
    }

    private static void assertCorrupt(String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT))
                .hasMessageContaining(message);
    }

    @Test
    void a_diff_visits_the_commits_that_exist() {
        file.execute("UPDATE commits SET id = 9223372036854775807 WHERE id = 2");

        try (Session session = Ontologia.open(file.uri(), readOnly(), MODEL)) {
            assertThat(session.log().diff(0, Long.MAX_VALUE)).hasSize(1);
        }
        assertThat(findings()).contains("commit-gap", "spent-numbers");
    }

    @Test
    void a_schema_version_that_no_type_can_have_is_damage() {
        file.execute("UPDATE schema_versions SET schema_version_id = 9223372036854775807");

        try (Maintenance maintenance = Ontologia.maintain(file.uri(), readOnly())) {
            assertCorrupt(
                    "entity Item",
                    () -> maintenance.migration(OTHER, Upgraders.none()).preview());
        }
        assertThat(findings()).contains("schema-version-gap");
    }

    @Test
    void a_table_without_numbers_for_new_rows_is_not_written_to() {
        file.execute("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'entity_history'");

        assertCorrupt(
                "entity_history",
                () -> Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)
                        .close());
        assertThat(findings()).contains("spent-numbers");
    }

    @Test
    void a_number_that_is_a_text_is_not_counted_on() {
        file.execute("UPDATE sqlite_sequence SET seq = 'NaN' WHERE name = 'commits'");

        assertCorrupt(
                "commits",
                () -> Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)
                        .close());
    }

    @Test
    void rows_with_numbers_below_one_are_found() {
        file.execute("UPDATE entity_history SET id = -1 WHERE id = 1");

        assertThat(findings()).contains("invalid-row-number");
    }

    @Test
    void digests_of_commits_that_do_not_exist_are_found() {
        file.execute("UPDATE onto_commit_digests SET commit_id = 77 WHERE commit_id = 2");

        assertThat(findings()).contains("digest-without-commit");
    }
}
