package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Author;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.MigrationResult;
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
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a migration does to schemas and rows, on every backend. */
public abstract class MigrationContract extends MigrationSuite {
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

        try (Maintenance maintenance =
                Ontologia.maintain(uri(), options("operator").author(Author.named("ann")))) {
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
                        "author",
                        "ann",
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
