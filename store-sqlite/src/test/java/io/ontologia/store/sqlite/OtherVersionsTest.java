package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
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
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Warnings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that another program wrote without a schema version, or with another one, are reported and never just absent. */
class OtherVersionsTest {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final Model MODEL =
            Model.of(new EntityType("Item", List.of(ID, FieldDef.of("n", Primitive.INT)), "id"));
    private static final Model MIGRATED =
            Model.of(new EntityType("Item", List.of(ID, FieldDef.of("m", Primitive.INT)), "id"));
    private static final String APPEND = """
            INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)
            VALUES ('Item', '%s', '{"id": "%s", "m": 1}', (SELECT max(id) FROM commits), %s)""";

    @TempDir
    Path folder;

    private RawFile file;

    @BeforeEach
    void fill() {
        file = new RawFile(folder.resolve("onto.db"));
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)) {
            session.ensure(new Row.OfEntity("Item", "a", Map.of("n", 1L)));
            session.commit();
        }
        Upgrader rename = Upgrader.entity("Item", 1, fields -> {
            fields.put("m", fields.remove("n"));
            return fields;
        });
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            maintenance.migration(MIGRATED, Upgraders.of(rename)).force(Map.of(), Progress.none());
        }
    }

    private void append(String key, String version) {
        file.execute(
                "INSERT INTO commits (created_at) VALUES ('2026-02-10T12:34:56+00:00')",
                APPEND.formatted(key, key, version));
    }

    private Session open() {
        return Ontologia.open(file.uri(), SessionOptions.defaults(), MIGRATED);
    }

    @Test
    void lists_counts_and_aggregates_warn_of_rows_that_they_leave_out() {
        append("b", "NULL");
        append("c", "9");
        for (String question : List.of("list", "count", "aggregate")) {
            try (Session session = open();
                    Warnings warnings = Warnings.of("io.ontologia.core.internal.OtherVersions")) {
                ask(session, question);

                assertThat(warnings.messages()).as(question).hasSize(1);
                assertThat(warnings.messages().get(0)).contains("2 current rows of entity Item");
                assertThat(session.entities("Item").omitted()).isEqualTo(2);
            }
        }
    }

    private static void ask(Session session, String question) {
        switch (question) {
            case "list" -> assertThat(session.entities("Item").list()).hasSize(1);
            case "count" -> assertThat(session.entities("Item").count()).isEqualTo(1);
            default -> session.entities("Item").aggregate(Aggregate.count("n"));
        }
    }

    @Test
    void an_open_session_warns_again_once_more_such_rows_arrive() {
        try (Session session = open();
                Warnings warnings = Warnings.of("io.ontologia.core.internal.OtherVersions")) {
            assertThat(session.entities("Item").count()).isEqualTo(1);
            append("b", "2");
            assertThat(session.entities("Item").count()).isEqualTo(2);
            assertThat(warnings.messages()).isEmpty();

            append("c", "NULL");
            assertThat(session.entities("Item").where(field("$.m").eq(1L)).list())
                    .hasSize(2);
            assertThat(session.entities("Item").count()).isEqualTo(2);

            assertThat(warnings.messages()).hasSize(1);
        }
    }

    @Test
    void an_entity_that_cannot_be_shown_is_an_error_and_not_absent() {
        append("a", "NULL");
        append("b", "1");
        try (Session session = open()) {
            for (String key : List.of("a", "b")) {
                assertUnreadable(() -> session.find("Item", key));
                assertUnreadable(
                        () -> session.entities("Item").where(key().eq(key)).list());
            }
            assertThat(session.find("Item", "unknown")).isEmpty();

            session.ensure(new Row.OfEntity("Item", "b", Map.of("m", 1L)));
            session.commit();

            assertThat(session.find("Item", "b")).isPresent();
        }
    }

    private static void assertUnreadable(org.assertj.core.api.ThrowableAssert.ThrowingCallable question) {
        assertThatThrownBy(question)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                .hasMessageContaining("with version 1 of its schema, and the type has version 2");
    }
}
