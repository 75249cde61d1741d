package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Maintenance;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.WriteLease;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a migration leaves in the file. */
class MigratedFileTest {
    private static final TypeRef ITEM = TypeRef.entity("Item");
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final FieldDef N = FieldDef.of("n", Primitive.INT);
    private static final FieldDef TAG = FieldDef.of("tag", Primitive.STR);
    private static final Model FIRST = Model.of(
            new EntityType("Item", List.of(ID, N.withIndex(), TAG.withIndex()), "id"),
            new EntityType("Item__n", List.of(ID, TAG.withIndex()), "id"));
    private static final Model SECOND = Model.of(new EntityType(
            "Item", List.of(ID, FieldDef.of("m", Primitive.INT).withIndex(), TAG), "id"));
    private static final Upgrader RENAME = Upgrader.entity("Item", 1, fields -> {
        fields.put("m", fields.remove("n"));
        return fields;
    });

    @TempDir
    Path folder;

    private RawFile file;

    @BeforeEach
    void fill() {
        file = new RawFile(folder.resolve("onto.db"));
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), FIRST)) {
            for (long i = 0; i < 20; i++) {
                session.ensure(new Row.OfEntity("Item", "k" + i, Map.of("n", i, "tag", "t")));
            }
            session.commit();
        }
    }

    private Maintenance maintain() {
        return Ontologia.maintain(file.uri(), SessionOptions.defaults());
    }

    private void migrate(Upgrader... upgraders) {
        try (Maintenance maintenance = maintain()) {
            maintenance.migration(SECOND, Upgraders.of(upgraders)).force(Map.of(), Progress.none());
        }
    }

    private List<String> indexes() {
        return file.column("SELECT name FROM sqlite_master WHERE name LIKE 'onto_ix%' ORDER BY name");
    }

    @Test
    void indexes_of_removed_fields_and_hints_are_dropped_and_new_ones_are_made() {
        assertThat(indexes())
                .containsExactly("onto_ix_entity_Item__n", "onto_ix_entity_Item__n__tag", "onto_ix_entity_Item__tag");

        migrate(RENAME);

        assertThat(indexes()).containsExactly("onto_ix_entity_Item__m", "onto_ix_entity_Item__n__tag");
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), SECOND)) {
            assertThat(session.entities("Item").where(field("$.m").eq(7L)).list())
                    .extracting(Row::fields)
                    .containsExactly(Map.of("id", "k7", "m", 7L, "tag", "t"));
        }
    }

    @Test
    void a_dropped_type_leaves_no_index() {
        try (Maintenance maintenance = maintain()) {
            var drop = maintenance.drop(ITEM).purgingHistory();
            drop.apply(drop.preview().token(), Map.of());
        }

        assertThat(indexes()).containsExactly("onto_ix_entity_Item__n__tag");
        assertThat(file.column("SELECT count(*) FROM onto_entity_latest")).containsExactly("0");
        assertThat(file.column("SELECT count(*) FROM onto_entity_commits")).containsExactly("0");
        assertThat(file.column("SELECT dirty FROM onto_latest_state")).containsExactly("0");
    }

    @Test
    void the_latest_versions_are_level_with_the_history() {
        migrate(RENAME);

        assertThat(file.column("SELECT dirty FROM onto_latest_state")).containsExactly("0");
        assertThat(file.column("SELECT count(*) FROM onto_entity_latest"
                        + " WHERE commit_id = 2 AND schema_version_id = 2 AND canonical = 1"))
                .containsExactly("20");
        assertThat(file.column("SELECT row_count FROM onto_entity_commits ORDER BY commit_id"))
                .containsExactly("20", "20");
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.check(Progress.none())).isEmpty();
        }
    }

    @Test
    void rows_that_others_wrote_since_are_migrated_too() {
        file.execute(
                "INSERT INTO commits (created_at) VALUES ('2199-01-01T00:00:00.000000+00:00')",
                "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id) VALUES"
                        + " ('Item', 'k3', '{\"tag\": \"other\", \"id\": \"k3\", \"n\": 33}', 2)");

        migrate(RENAME);

        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), SECOND)) {
            assertThat(session.find("Item", "k3").orElseThrow().fields())
                    .isEqualTo(Map.of("id", "k3", "m", 33L, "tag", "other"));
        }
    }

    @Test
    void a_row_of_an_older_version_is_upgraded_from_its_own() {
        migrate(RENAME);
        file.execute(
                "INSERT INTO commits (created_at) VALUES ('2199-01-01T00:00:00.000000+00:00')",
                "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                        + " VALUES ('Item', 'old', '{\"id\": \"old\", \"n\": 1, \"tag\": \"t\"}', 3, 1)");
        Model third = Model.of(new EntityType("Item", List.of(ID, FieldDef.of("m", Primitive.INT)), "id"));
        Upgrader untag = Upgrader.entity("Item", 2, fields -> {
            fields.remove("tag");
            return fields;
        });

        MigrationPlan plan;
        try (Maintenance maintenance = maintain()) {
            plan = maintenance.migration(third, Upgraders.of(untag)).preview();
            maintenance.migration(third, Upgraders.of(RENAME, untag)).force(Map.of(), Progress.none());
        }

        assertThat(plan.missingUpgraders()).isEqualTo(Map.of(ITEM, List.of(1L)));
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults(), third)) {
            assertThat(session.find("Item", "old").orElseThrow().fields()).isEqualTo(Map.of("id", "old", "m", 1L));
            assertThat(session.entities("Item").count()).isEqualTo(21);
        }
    }

    @Test
    void rows_of_a_version_that_never_was_stop_the_migration() {
        file.execute("UPDATE entity_history SET schema_version_id = 9 WHERE entity_key = 'k5'");

        try (Maintenance maintenance = maintain()) {
            assertThatThrownBy(() ->
                            maintenance.migration(SECOND, Upgraders.of(RENAME)).preview())
                    .isInstanceOfSatisfying(OntologiaException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT);
                        assertThat(e).hasMessageContaining("1 of its rows").hasMessageContaining("onto fsck");
                    });
        }
    }

    private static Restructuring removal(LockHolder lock, long head) {
        return new Restructuring(
                lock,
                head,
                Map.of(ITEM, 1L, TypeRef.entity("Item__n"), 1L),
                List.of(new Restructuring.Step.Remove(TypeRef.entity("Item__n"), Restructuring.History.MUST_BE_EMPTY)),
                outcomes -> Map.of(),
                "operator",
                Progress.none());
    }

    @Test
    void nothing_is_changed_when_the_lock_was_lost_or_the_head_moved() {
        try (Maintenance maintenance =
                Ontologia.maintain(file.uri(), SessionOptions.defaults().runtimeId("operator"))) {
            Storage storage = maintenance.storage();
            LockHolder lost = storage.locks().acquire("operator", Duration.ZERO);
            storage.locks().release(lost);
            assertThatThrownBy(() -> storage.restructure(removal(lost, 1)))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                    .hasMessageContaining("is lost");

            try (WriteLease lease = maintenance.lock().acquire()) {
                assertThatThrownBy(() -> storage.restructure(removal(lease.holder(), 0)))
                        .isInstanceOfSatisfying(
                                OntologiaException.class,
                                e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                        .hasMessageContaining("does not respect the write lock");

                assertThat(storage.restructure(removal(lease.holder(), 1)).commitId())
                        .isEqualTo(2);
            }
        }
    }
}
