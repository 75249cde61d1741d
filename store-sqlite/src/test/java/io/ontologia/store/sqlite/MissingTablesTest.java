package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables and indexes of the specification that another program removed are named by a check and made again. */
class MissingTablesTest {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final FieldDef N = FieldDef.of("n", Primitive.INT);
    private static final Model MODEL = Model.of(new EntityType("Item", List.of(ID, N), "id"));
    private static final Model MIGRATED =
            Model.of(new EntityType("Item", List.of(ID, FieldDef.of("m", Primitive.INT)), "id"));

    private static final SessionOptions READ_ONLY =
            SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));

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
    }

    private Session readOnly() {
        return Ontologia.openStored(file.uri(), READ_ONLY);
    }

    private List<String> findings() {
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), READ_ONLY)) {
            return maintenance.check(Progress.none()).stream()
                    .map(Finding::code)
                    .toList();
        }
    }

    private static List<String> versions(Session session) {
        return session.storage().schemaVersions(TypeRef.entity("Item")).stream()
                .map(version -> version.version() + " " + version.reason().orElse(""))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idx_entity_history_lookup",
                "idx_relation_history_lookup",
                "idx_events_namespace_type_order",
                "idx_event_claims_handler_state",
                "idx_event_claims_event",
                "idx_dead_letters_namespace_failed",
                "idx_sessions_heartbeat",
                "idx_sessions_namespace"
            })
    void a_missing_index_is_named_and_made_again(String index) {
        file.execute("DROP INDEX " + index);
        assertThat(findings()).containsExactly("missing-index");

        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)) {
            session.ensure(new Row.OfEntity("Item", "b", Map.of("n", 1L)));
            session.commit();
        }

        assertThat(findings()).isEmpty();
        assertThat(file.column("SELECT name FROM sqlite_master WHERE name = '" + index + "'"))
                .containsExactly(index);
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE FROM schema_versions", "DROP TABLE schema_versions"})
    void missing_schema_versions_are_named_and_made_again_from_the_registry(String damage) {
        file.execute(damage);
        assertThat(findings()).containsExactly("schema-versions-missing");
        try (Session session = readOnly()) {
            assertThat(session.entities("Item").count()).isEqualTo(1);
        }

        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), MODEL)) {
            assertThat(versions(session)).containsExactly("1 bootstrap");
            assertThat(session.entities("Item").count()).isEqualTo(1);
            session.ensure(new Row.OfEntity("Item", "b", Map.of("n", 1L)));
            session.commit();
            assertThat(session.entities("Item").count()).isEqualTo(2);
        }
        assertThat(findings()).isEmpty();
    }

    @Test
    void the_version_that_is_made_again_is_that_of_the_rows() {
        Upgrader rename = Upgrader.entity("Item", 1, fields -> {
            fields.put("m", fields.remove("n"));
            return fields;
        });
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            maintenance.migration(MIGRATED, Upgraders.of(rename)).force(Map.of(), Progress.none());
        }
        file.execute("DROP TABLE schema_versions");

        try (Session session = readOnly()) {
            assertThat(session.entities("Item").count()).isEqualTo(1);
        }
        try (Session session = Ontologia.openStored(file.uri(), SessionOptions.defaults())) {
            assertThat(versions(session)).containsExactly("2 bootstrap");
            assertThat(session.entities("Item").count()).isEqualTo(1);
            assertThat(session.storage().schemas())
                    .extracting(SchemaVersion::version)
                    .containsExactly(2L);
        }
    }
}
