package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.SchemaChange;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.Session;
import io.ontologia.core.StepExpression;
import io.ontologia.core.StepExpression.Conversion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.UpgradeFailedException;
import io.ontologia.core.Upgraders;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Migrations by steps that the model declares, on every backend. */
public abstract class DeclaredStepsContract extends MigrationSuite {
    private static final TypeRef PERSON = TypeRef.entity("Person");
    private static final OntologyType PERSON_1 = entityType(
            "Person", text("first"), text("last"), text("age"), integer("cents"), text("town"), text("rest"));
    private static final OntologyType PERSON_2 = entityType(
            "Person",
            text("full"),
            integer("age"),
            FieldDef.of("euros", Primitive.FLOAT),
            text("city"),
            FieldDef.of("note", TypeSpec.orNull(Primitive.STR)));
    private static final List<SchemaStep> STEPS = List.of(
            new SchemaStep.Set("full", StepExpression.parse("upper(last) || ', ' || first")),
            new SchemaStep.Convert("age", Conversion.INT),
            new SchemaStep.Set("euros", StepExpression.parse("cents / 100")),
            new SchemaStep.Rename("town", "city"),
            new SchemaStep.Drop("rest"));

    private static Row person(String key, String first, String age) {
        return entity(
                "Person",
                key,
                Map.of("first", first, "last", "Doe", "age", age, "cents", 250L, "town", "Rome", "rest", "x"));
    }

    private MigrationPlan plan(Model model) {
        try (Maintenance maintenance = maintain()) {
            return maintenance.migration(model, Upgraders.none()).preview();
        }
    }

    private void migrate(Model model) {
        try (Maintenance maintenance = maintain()) {
            Migration migration = maintenance.migration(model, Upgraders.none());
            migration.apply(migration.preview().token(), Map.of(), Progress.none());
        }
    }

    private static Model model() {
        return Model.of(PERSON_2).withSteps(PERSON, 1, STEPS);
    }

    @Test
    void rows_are_rewritten_by_the_steps_and_what_they_leave_out_follows_from_the_model() {
        commit(List.of(PERSON_1), person("a", "Ann", "42"));

        MigrationPlan plan = plan(model());
        migrate(model());

        assertThat(plan.missingUpgraders()).isEmpty();
        assertThat(plan.typesUpgradedBySteps()).containsExactly(PERSON);
        assertThat(plan.changes().get(PERSON))
                .extracting(SchemaChange::oldRows)
                .contains("set 'full' to upper(last) || ', ' || first", "convert 'age' to int", "they get null");
        Map<String, @Nullable Object> row = entities("Person").get("a");
        assertThat(row)
                .containsEntry("full", "DOE, Ann")
                .containsEntry("age", 42L)
                .containsEntry("euros", 2.5)
                .containsEntry("city", "Rome")
                .containsEntry("note", null)
                .hasSize(6);
    }

    @Test
    void every_later_process_shows_the_past_through_the_stored_steps() {
        commit(List.of(PERSON_1), person("a", "Ann", "42"), person("b", "Bob", "7"));
        migrate(model());

        try (Session session = Ontologia.openStored(uri(), options("reader"))) {
            assertThat(session.findAsOf("Person", "a", 1).orElseThrow().fields())
                    .containsEntry("full", "DOE, Ann")
                    .containsEntry("age", 42L);
            assertThat(session.entities("Person")
                            .asOf(1)
                            .where(field("$.age").gt(10))
                            .count())
                    .isEqualTo(1);
            assertThat(session.entities("Person")
                            .asOf(1)
                            .where(field("$.city").eq("Rome"))
                            .count())
                    .isEqualTo(2);
            assertThat(session.entities("Person")
                            .asOf(1)
                            .groupBy(field("$.euros"))
                            .aggregate(Aggregate.max("oldest", field("$.age"))))
                    .containsExactly(Map.of("$.euros", 2.5, "oldest", 42L));
            assertThat(session.entities("Person").withHistory().list()).hasSize(4);
            assertThat(session.log().diff(1, 2)).isEmpty();
        }
    }

    @Test
    void a_row_that_a_step_cannot_convert_stops_the_migration_and_is_named() {
        commit(List.of(PERSON_1), person("a", "Ann", "42"), person("b", "Bob", "old"));

        assertThatThrownBy(() -> migrate(model()))
                .isInstanceOf(UpgradeFailedException.class)
                .hasMessageContaining("'b'")
                .hasMessageContaining("\"old\" is no int");
        assertThat(versions(PERSON)).containsExactly(1L);
        assertThat(entities("Person").get("a")).containsEntry("age", "42");
    }

    @Test
    void a_row_of_the_past_that_a_step_cannot_convert_is_an_error_or_left_out() {
        commit(List.of(PERSON_1), person("a", "Ann", "young"), person("b", "Bob", "7"));
        commit(List.of(PERSON_1), person("a", "Ann", "42"));
        migrate(model());

        try (Session session = open(PERSON_2)) {
            assertThatThrownBy(session.entities("Person").asOf(1)::list).hasMessageContaining("'a'");
            assertThatThrownBy(session.entities("Person").asOf(1)::count).hasMessageContaining("'a'");
            assertThat(session.entities("Person").asOf(1).omitUnreadable().count())
                    .isEqualTo(1);
            assertThat(session.entities("Person").asOf(1).omitted()).isEqualTo(1);
            assertThat(session.entities("Person").asOf(2).count()).isEqualTo(2);
        }
    }

    @Test
    void steps_that_do_not_fit_the_stored_version_are_all_listed() {
        commit(List.of(PERSON_1), person("a", "Ann", "42"));
        Model wrong = Model.of(PERSON_2)
                .withSteps(
                        PERSON,
                        1,
                        List.of(
                                new SchemaStep.Set("full", StepExpression.parse("surname")),
                                new SchemaStep.Drop("nothing")));

        assertThatThrownBy(() -> plan(wrong))
                .hasMessageContaining("'surname', which the stored version lacks")
                .hasMessageContaining("no field 'nothing'");
    }

    @Test
    void steps_of_another_version_do_not_count() {
        commit(List.of(PERSON_1), person("a", "Ann", "42"));

        assertThat(plan(Model.of(PERSON_2).withSteps(PERSON, 2, STEPS)).missingUpgraders())
                .isEqualTo(Map.of(PERSON, List.of(1L)));
    }

    @Test
    void relations_have_steps_too() {
        TypeRef ref = TypeRef.relation("Pays");
        RelationType before = relationType("Pays", "Person", "Person", text("amount"));
        RelationType after = relationType("Pays", "Person", "Person", integer("amount"));
        commit(List.of(PERSON_1, before), relation("Pays", "a", "b", Map.of("amount", "12")));
        migrate(Model.of(PERSON_1, after).withSteps(ref, 1, List.of(new SchemaStep.Convert("amount", Conversion.INT))));

        try (Session session = open(PERSON_1, after)) {
            assertThat(session.relations("Pays")
                            .asOf(1)
                            .where(field("$.amount").gt(10))
                            .list())
                    .extracting(Row::fields)
                    .containsExactly(Map.of("amount", 12L));
        }
    }

    @Test
    void a_type_changes_by_expand_and_contract_while_both_programs_write() {
        OntologyType text = entityType("Item", text("price"));
        OntologyType both = entityType("Item", text("price"), integer("cents"));
        OntologyType contracted = entityType("Item", integer("cents"));
        Model expand = Model.of(both)
                .withSteps(
                        TypeRef.entity("Item"),
                        1,
                        List.of(new SchemaStep.Set("cents", StepExpression.parse("int(price) * 100"))));
        commit(List.of(text), entity("Item", "a", Map.of("price", "3")));
        try (Session old = open(text)) {
            migrate(expand);

            old.ensure(entity("Item", "b", Map.of("price", "4")));
            old.commit();
            commit(List.of(both), entity("Item", "c", Map.of("price", "5", "cents", 500L)));
            assertThat(old.entities("Item").list()).hasSize(3);
        }
        migrate(Model.of(contracted));

        try (Session session = open(contracted)) {
            assertThat(session.entities("Item").list())
                    .extracting(row -> row.fields().get("cents"))
                    .containsExactly(300L, 400L, 500L);
            assertThat(session.entities("Item").asOf(1).list())
                    .extracting(row -> row.fields().get("cents"))
                    .containsExactly(300L);
        }
    }
}
