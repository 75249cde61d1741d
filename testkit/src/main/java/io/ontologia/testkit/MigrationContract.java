package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.MigrationResult;
import io.ontologia.core.MissingUpgradersException;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaDiff;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.WriteLease;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How schemas and rows are migrated, on every backend. */
public abstract class MigrationContract extends StorageSuite {
    private static final TypeRef CUSTOMER = TypeRef.entity("Customer");
    private static final TypeRef ORDER = TypeRef.entity("Order");

    private static final OntologyType CUSTOMER_1 = entityType("Customer", text("name"), text("tier"));
    private static final OntologyType CUSTOMER_2 = entityType(
            "Customer",
            text("first"),
            text("last"),
            text("tier"),
            integer("visits").withDefault(0L));
    private static final OntologyType CUSTOMER_3 = entityType("Customer", text("full"), text("tier"));
    private static final OntologyType ORDER_1 = entityType("Order", integer("cents"));
    private static final OntologyType ORDER_2 = entityType("Order", integer("cents"), text("currency"));

    private static final Upgrader SPLIT_NAME = Upgrader.entity("Customer", 1, fields -> {
        String[] parts = String.valueOf(fields.remove("name")).split(" ", 2);
        fields.put("first", parts[0]);
        fields.put("last", parts[1]);
        return fields;
    });
    private static final Upgrader JOIN_NAME = Upgrader.entity(
            "Customer",
            2,
            fields -> new TreeMap<>(
                    Map.of("full", fields.get("last") + ", " + fields.get("first"), "tier", "" + fields.get("tier"))));
    private static final Upgrader IN_EUROS = Upgrader.entity("Order", 1, fields -> {
        fields.put("currency", "EUR");
        return fields;
    });

    private static Row alice(String tier) {
        return entity("Customer", "c1", Map.of("name", "Alice Adams", "tier", tier));
    }

    private static final Row BOB = entity("Customer", "c2", Map.of("name", "Bob Brown", "tier", "Silver"));

    private MigrationPlan preview(Upgraders upgraders, OntologyType... types) {
        try (Maintenance maintenance = maintain()) {
            return maintenance.migration(Model.of(types), upgraders).preview();
        }
    }

    private MigrationResult migrate(Upgraders upgraders, OntologyType... types) {
        try (Maintenance maintenance = maintain()) {
            Migration migration = maintenance.migration(Model.of(types), upgraders);
            return migration.apply(migration.preview().token(), Map.of(), Progress.none());
        }
    }

    private List<Long> versions(TypeRef type) {
        try (Maintenance maintenance = maintain()) {
            return maintenance.storage().schemaVersions(type).stream()
                    .map(SchemaVersion::version)
                    .toList();
        }
    }

    private void assertUnchanged(long head) {
        assertThat(newest().id()).isEqualTo(head);
        assertThat(versions(CUSTOMER)).containsExactly(1L);
        assertThat(entities("Customer").get("c1")).containsEntry("name", "Alice Adams");
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.lock().holder()).isEmpty();
        }
    }

    @Test
    void a_preview_says_what_would_change_and_changes_nothing() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), BOB);

        MigrationPlan plan = preview(Upgraders.none(), CUSTOMER_2, ORDER_2, entityType("Product"));

        assertThat(plan.hasChanges()).isTrue();
        assertThat(plan.diffs()).extracting(SchemaDiff::type).containsExactly(CUSTOMER, ORDER);
        assertThat(plan.diffs().get(0).added()).containsExactly("first", "last", "visits");
        assertThat(plan.diffs().get(0).removed()).containsExactly("name");
        assertThat(plan.newTypes()).containsExactly(TypeRef.entity("Product"));
        assertThat(plan.estimatedRows()).isEqualTo(Map.of(CUSTOMER, 2L, ORDER, 0L));
        assertThat(plan.typesRequiringUpgraders()).containsExactly(CUSTOMER);
        assertThat(plan.typesSchemaOnly()).containsExactly(ORDER);
        assertThat(plan.missingUpgraders()).isEqualTo(Map.of(CUSTOMER, List.of(1L)));
        assertUnchanged(1);
    }

    @Test
    void without_changes_there_is_nothing_to_do() {
        commit(List.of(CUSTOMER_1), alice("Gold"));

        MigrationPlan plan = preview(Upgraders.none(), CUSTOMER_1);
        MigrationResult result = migrate(Upgraders.none(), CUSTOMER_1);

        assertThat(plan.hasChanges()).isFalse();
        assertThat(result.commitId()).isEmpty();
        assertThat(result.typesMigrated()).isEmpty();
        assertUnchanged(1);
    }

    @Test
    void every_row_is_rewritten_by_its_upgrader_and_defaults_are_filled_in() {
        commit(List.of(CUSTOMER_1), alice("Gold"), BOB);

        MigrationResult result = migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);

        assertThat(result.typesMigrated()).containsExactly(CUSTOMER);
        assertThat(result.rowsMigrated()).isEqualTo(Map.of(CUSTOMER, 2L));
        assertThat(result.newSchemaVersions()).isEqualTo(Map.of(CUSTOMER, 2L));
        assertThat(result.commitId()).hasValue(2);
        assertThat(entities("Customer"))
                .isEqualTo(Map.of(
                        "c1", Map.of("id", "c1", "first", "Alice", "last", "Adams", "tier", "Gold", "visits", 0L),
                        "c2", Map.of("id", "c2", "first", "Bob", "last", "Brown", "tier", "Silver", "visits", 0L)));
    }

    @Test
    void only_the_latest_versions_are_rewritten_and_the_history_stays() {
        commit(List.of(CUSTOMER_1), alice("Silver"));
        commit(List.of(CUSTOMER_1), alice("Gold"));

        MigrationResult result = migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);

        assertThat(result.rowsMigrated()).isEqualTo(Map.of(CUSTOMER, 1L));
        try (Session session = open(CUSTOMER_2)) {
            assertThat(session.log().changes(3)).hasSize(1);
            assertThat(session.log().changes(2).get(0).after()).containsEntry("name", "Alice Adams");
        }
    }

    @Test
    void the_log_says_what_was_migrated() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), BOB);

        try (Maintenance maintenance = maintain()) {
            Migration migration =
                    maintenance.migration(Model.of(CUSTOMER_2, ORDER_2), Upgraders.of(SPLIT_NAME, IN_EUROS));
            migration.apply(migration.preview().token(), Map.of("why", "release 7"), Progress.none());
        }

        CommitInfo commit = newest();
        assertThat(commit.id()).isEqualTo(2);
        assertThat(commit.operations()).isEqualTo(2);
        assertThat(commit.metadata())
                .isEqualTo(Map.of(
                        "kind",
                        "migration",
                        "why",
                        "release 7",
                        "migrated_types",
                        List.of(
                                Map.of(
                                        "type_kind", "entity",
                                        "type_name", "Customer",
                                        "from_schema_version_id", 1L,
                                        "to_schema_version_id", 2L,
                                        "rows_rewritten", 2L),
                                Map.of(
                                        "type_kind", "entity",
                                        "type_name", "Order",
                                        "from_schema_version_id", 1L,
                                        "to_schema_version_id", 2L,
                                        "rows_rewritten", 0L))));
        try (Maintenance maintenance = maintain()) {
            SchemaVersion stored =
                    maintenance.storage().schemaVersions(CUSTOMER).get(1);
            assertThat(stored.reason()).contains("migration");
            assertThat(stored.runtimeId()).contains("operator");
            assertThat(stored.schemaHash()).isEqualTo(CUSTOMER_2.schemaHash());
        }
    }

    @Test
    void migrations_follow_each_other() {
        commit(List.of(CUSTOMER_1), alice("Gold"));

        migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);
        migrate(Upgraders.of(SPLIT_NAME, JOIN_NAME), CUSTOMER_3);

        assertThat(versions(CUSTOMER)).containsExactly(1L, 2L, 3L);
        assertThat(entities("Customer"))
                .isEqualTo(Map.of("c1", Map.of("id", "c1", "full", "Adams, Alice", "tier", "Gold")));
    }

    @Test
    void rows_written_after_a_migration_compare_with_the_migrated_ones() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);

        commit(
                List.of(CUSTOMER_2),
                entity("Customer", "c1", Map.of("first", "Alice", "last", "Adams", "tier", "Gold")));

        assertThat(newest().id()).isEqualTo(2);
    }

    @Test
    void new_types_are_registered_along_with_the_migration() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        OntologyType buys = relationType("Buys", "Customer", "Product");

        MigrationResult result = migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2, entityType("Product"), buys);

        assertThat(result.typesRegistered()).containsExactly(TypeRef.entity("Product"), TypeRef.relation("Buys"));
        assertThat(versions(TypeRef.relation("Buys"))).containsExactly(1L);
    }

    @Test
    void new_types_alone_need_no_commit() {
        commit(List.of(CUSTOMER_1), alice("Gold"));

        MigrationResult result = migrate(Upgraders.none(), CUSTOMER_1, entityType("Product"));

        assertThat(result.commitId()).isEmpty();
        assertThat(result.newSchemaVersions()).isEqualTo(Map.of(TypeRef.entity("Product"), 1L));
        assertUnchanged(1);
    }

    @Test
    void types_that_only_the_store_knows_are_left_alone() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"));

        migrate(Upgraders.of(IN_EUROS), ORDER_2);

        assertThat(versions(CUSTOMER)).containsExactly(1L);
        assertThat(entities("Customer")).containsOnlyKeys("c1");
    }

    @Test
    void a_token_no_longer_fits_after_another_commit() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        String token = preview(Upgraders.of(SPLIT_NAME), CUSTOMER_2).token();
        commit(List.of(CUSTOMER_1), BOB);

        assertThatThrownBy(() -> apply(token, Upgraders.of(SPLIT_NAME), CUSTOMER_2))
                .isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
                    assertThat(e).hasMessageContaining("newest commit was 1 and is 2");
                    assertThat(e.remedy()).contains("preview");
                });
        assertUnchanged(2);
    }

    @Test
    void a_token_does_not_fit_another_model() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        String token = preview(Upgraders.of(SPLIT_NAME), CUSTOMER_2).token();

        assertThatThrownBy(() -> apply(token, Upgraders.of(SPLIT_NAME), CUSTOMER_3))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        assertThatThrownBy(() -> apply("no token", Upgraders.of(SPLIT_NAME), CUSTOMER_2))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        assertUnchanged(1);
    }

    private void apply(String token, Upgraders upgraders, OntologyType... types) {
        try (Maintenance maintenance = maintain()) {
            maintenance.migration(Model.of(types), upgraders).apply(token, Map.of(), Progress.none());
        }
    }

    @Test
    void force_needs_no_token() {
        commit(List.of(CUSTOMER_1), alice("Gold"));

        try (Maintenance maintenance = maintain()) {
            maintenance
                    .migration(Model.of(CUSTOMER_2), Upgraders.of(SPLIT_NAME))
                    .force(Map.of(), Progress.none());
        }

        assertThat(entities("Customer").get("c1")).containsEntry("first", "Alice");
    }

    @Test
    void missing_upgraders_are_named_by_type_and_version() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), entity("Order", "o1", Map.of("cents", 1L)));

        assertThatThrownBy(() -> migrate(Upgraders.of(JOIN_NAME), CUSTOMER_2, ORDER_2))
                .isInstanceOfSatisfying(MissingUpgradersException.class, e -> {
                    assertThat(e.missing()).isEqualTo(Map.of(CUSTOMER, List.of(1L), ORDER, List.of(1L)));
                    assertThat(e).hasMessageContaining("entity Customer from version 1");
                });
        assertUnchanged(1);
    }

    @Test
    void a_failing_upgrader_is_named_with_key_and_old_data_and_no_type_is_migrated() {
        commit(List.of(CUSTOMER_1, ORDER_1), alice("Gold"), entity("Order", "o7", Map.of("cents", 4711L)));
        Upgrader failing = Upgrader.entity("Order", 1, fields -> {
            throw new IllegalStateException("no currency");
        });

        assertThatThrownBy(() -> migrate(Upgraders.of(SPLIT_NAME, failing), CUSTOMER_2, ORDER_2))
                .isInstanceOf(UpgradeFailedException.class)
                .hasMessageContaining("entity Order")
                .hasMessageContaining("'o7'")
                .hasMessageContaining("4711")
                .hasMessageContaining("no currency");
        assertUnchanged(1);
    }

    @Test
    void what_an_upgrader_makes_must_fit_the_new_type() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        Upgrader incomplete = Upgrader.entity("Customer", 1, fields -> new TreeMap<>(Map.of("first", 1L)));

        assertThatThrownBy(() -> migrate(Upgraders.of(incomplete), CUSTOMER_2))
                .isInstanceOf(UpgradeFailedException.class)
                .hasMessageContaining("field 'first' is a number")
                .hasMessageContaining("field 'last' is missing");
        assertUnchanged(1);
    }

    @Test
    void an_upgrader_cannot_change_the_key() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        Upgrader renaming = Upgrader.entity("Customer", 1, fields -> {
            fields.put("id", "other");
            return SPLIT_NAME.function().apply(fields);
        });

        assertThatThrownBy(() -> migrate(Upgraders.of(renaming), CUSTOMER_2))
                .isInstanceOf(UpgradeFailedException.class);
        assertUnchanged(1);
    }

    @Test
    void an_index_hint_needs_no_upgrader() {
        commit(List.of(CUSTOMER_1), alice("Gold"), BOB);
        OntologyType indexed = entityType("Customer", text("name"), text("tier").withIndex());

        MigrationPlan plan = preview(Upgraders.none(), indexed);
        migrate(Upgraders.none(), indexed);

        assertThat(plan.typesSchemaOnly()).containsExactly(CUSTOMER);
        assertThat(plan.missingUpgraders()).isEmpty();
        assertThat(entities("Customer")).containsOnlyKeys("c1", "c2");
        assertThat(versions(CUSTOMER)).containsExactly(1L, 2L);
    }

    @Test
    void relations_are_migrated_with_their_identity() {
        RelationType keyed = new RelationType(
                "Job", "Customer", "Customer", Optional.of("stint"), List.of(text("stint"), text("role")));
        RelationType changed = new RelationType(
                "Job",
                "Customer",
                "Customer",
                Optional.of("stint"),
                List.of(text("stint"), text("role"), integer("level")));
        commit(
                List.of(CUSTOMER_1, keyed),
                new Row.OfRelation("Job", "c1", "c2", "first", Map.of("role", "boss")),
                new Row.OfRelation("Job", "c1", "c2", "second", Map.of("role", "clerk")));
        Upgrader levels = Upgrader.relation("Job", 1, fields -> {
            fields.put("level", "boss".equals(fields.get("role")) ? 2L : 1L);
            return fields;
        });

        migrate(Upgraders.of(levels), CUSTOMER_1, changed);

        try (Session session = open(CUSTOMER_1, changed)) {
            assertThat(session.relations("Job").results())
                    .extracting(
                            row -> row.identity() + " " + row.value().fields().get("level"))
                    .containsExactly("c1 -> c2 [first] 2", "c1 -> c2 [second] 1");
        }
    }

    @Test
    void a_relation_with_rows_cannot_get_an_instance_key() {
        RelationType plain = relationType("Job", "Customer", "Customer", text("role"));
        RelationType keyed = new RelationType(
                "Job", "Customer", "Customer", Optional.of("stint"), List.of(text("stint"), text("role")));
        commit(List.of(CUSTOMER_1, plain), relation("Job", "c1", "c2", Map.of("role", "boss")));

        assertThatThrownBy(() -> preview(Upgraders.none(), CUSTOMER_1, keyed))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("relation Job")
                .hasMessageContaining("instance key");
    }

    @Test
    void a_session_from_before_the_migration_cannot_write_any_more() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        try (Session session = open(CUSTOMER_1)) {
            migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);
            session.ensure(BOB);

            assertThatThrownBy(session::commit).isInstanceOf(SchemaOutdatedException.class);
            assertThat(session.entities("Customer").list()).isEmpty();
            assertThat(session.entities("Customer").omitted()).isEqualTo(1);
            session.discard();
        }
        assertThatThrownBy(() -> open(CUSTOMER_1)).isInstanceOf(SchemaOutdatedException.class);
    }

    @Test
    void nobody_migrates_while_somebody_else_holds_the_lock() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        try (Maintenance other = Ontologia.maintain(uri(), options("other"));
                WriteLease lease = other.lock().acquire()) {
            assertThatThrownBy(() -> migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2))
                    .isInstanceOfSatisfying(OntologiaException.class, e -> {
                        assertThat(e.kind()).isEqualTo(ErrorKind.BUSY);
                        assertThat(e).hasMessageContaining("'other'");
                    });

            assertThat(clock.now()).isEqualTo(SettableClock.START.plus(Migration.LOCK_TIMEOUT));
            assertThat(lease.isHeld()).isTrue();
        }
        assertUnchanged(1);
    }

    @Test
    void the_lock_is_held_while_rows_are_upgraded_and_free_afterwards() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        List<String> holders = new ArrayList<>();
        try (Maintenance watcher = Ontologia.maintain(uri(), options("watcher"))) {
            Upgrader watching = Upgrader.entity("Customer", 1, fields -> {
                watcher.lock().holder().ifPresent(holder -> holders.add(holder.ownerId()));
                return SPLIT_NAME.function().apply(fields);
            });

            migrate(Upgraders.of(watching), CUSTOMER_2);

            assertThat(holders).containsExactly("operator");
            assertThat(watcher.lock().holder()).isEmpty();
        }
    }

    @Test
    void readers_see_the_old_state_until_the_migration_is_done() {
        commit(List.of(CUSTOMER_1), alice("Gold"), BOB);
        List<Map<String, @Nullable Object>> seen = new ArrayList<>();
        try (Session reader = open(CUSTOMER_1)) {
            Upgrader watching = Upgrader.entity("Customer", 1, fields -> {
                reader.entities("Customer").list().forEach(row -> seen.add(row.fields()));
                return SPLIT_NAME.function().apply(fields);
            });

            migrate(Upgraders.of(watching), CUSTOMER_2);
        }

        assertThat(seen).hasSize(4).allSatisfy(fields -> assertThat(fields).containsKey("name"));
    }

    @Test
    void progress_is_told_by_type() {
        commit(List.of(CUSTOMER_1), alice("Gold"), BOB);
        List<String> told = new ArrayList<>();

        try (Maintenance maintenance = maintain()) {
            maintenance
                    .migration(Model.of(CUSTOMER_2), Upgraders.of(SPLIT_NAME))
                    .force(Map.of(), (step, done, total) -> told.add(step + " " + done + "/" + total));
        }

        assertThat(told).isNotEmpty().last().isEqualTo("entity Customer 2/2");
    }

    @Test
    void metadata_cannot_hide_what_the_migration_says_about_itself() {
        commit(List.of(CUSTOMER_1), alice("Gold"));

        try (Maintenance maintenance = maintain()) {
            Migration migration = maintenance.migration(Model.of(CUSTOMER_2), Upgraders.of(SPLIT_NAME));
            assertThatThrownBy(() -> migration.force(Map.of("kind", "nothing"), Progress.none()))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
        }
        assertUnchanged(1);
    }

    @Test
    void many_rows_are_migrated() {
        FieldDef[] wide = {text("name"), text("tier")};
        try (Session session = open(entityType("Customer", wide))) {
            for (int i = 0; i < 2_500; i++) {
                session.ensure(entity("Customer", "c" + i, Map.of("name", "A " + i, "tier", "t")));
            }
            session.commit();
        }

        MigrationResult result = migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);

        assertThat(result.rowsMigrated()).isEqualTo(Map.of(CUSTOMER, 2_500L));
        try (Session session = open(CUSTOMER_2)) {
            assertThat(session.entities("Customer").count()).isEqualTo(2_500);
            assertThat(session.find("Customer", "c2499").orElseThrow().fields()).containsEntry("last", "2499");
        }
    }
}
