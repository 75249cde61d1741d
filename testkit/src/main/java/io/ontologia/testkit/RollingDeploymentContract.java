package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.CommitResult;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.UnreadableRowsException;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.SchemaOutdatedException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Programs of two versions of a model that work on one store during a deployment, on every backend. */
public abstract class RollingDeploymentContract extends MigrationSuite {
    private static final OntologyType PRODUCT_1 = entityType("Product", text("name"), integer("price"));
    private static final OntologyType PRODUCT_2 = entityType(
            "Product",
            text("title").withFormerName("name"),
            FieldDef.of("price", Primitive.FLOAT),
            FieldDef.of("note", TypeSpec.orNull(Primitive.STR)),
            text("state").withDefault("new"));
    private static final RelationType NEXT_1 = relationType("Next", "Product", "Product", integer("weight"));
    private static final RelationType NEXT_2 = relationType(
            "Next", "Product", "Product", integer("weight"), text("why").withDefault("?"));

    private static Row product1(String key, String name, long price) {
        return entity("Product", key, Map.of("name", name, "price", price));
    }

    private static Row product2(String key, String title, double price, String state) {
        return entity("Product", key, Map.of("title", title, "price", price, "state", state, "note", "n"));
    }

    @Test
    void a_program_with_the_previous_model_goes_on_while_the_new_one_is_deployed() {
        commit(List.of(PRODUCT_1), product1("a", "Ant", 3));
        try (Session old = open(PRODUCT_1)) {
            assertThat(old.entities("Product").count()).isEqualTo(1);

            migrate(Upgraders.none(), PRODUCT_2);

            assertThat(old.find("Product", "a").orElseThrow().fields())
                    .isEqualTo(Map.of("id", "a", "name", "Ant", "price", 3L));
            assertThat(old.entities("Product").where(field("$.name").eq("Ant")).list())
                    .hasSize(1);
            assertThat(old.entities("Product").where(field("$.price").gt(2)).count())
                    .isEqualTo(1);
            assertThat(old.entities("Product").aggregate(Aggregate.max("m", field("$.price"))))
                    .containsExactly(Map.of("m", 3L));
            assertThat(old.entities("Product").asOf(1).list()).hasSize(1);
            assertThat(old.entities("Product").withHistory().list())
                    .extracting(row -> row.fields().get("name"))
                    .containsExactly("Ant", "Ant");

            old.ensure(product1("b", "Bee", 4));
            assertThat(old.commit()).isInstanceOf(CommitResult.Committed.class);
            commit(List.of(PRODUCT_2), product2("a", "Ape", 5, "sold"));
            old.ensure(product1("a", "Ape", 6));
            assertThat(old.preview()).hasSize(1);
            assertThat(old.commit()).isInstanceOf(CommitResult.Committed.class);
            old.ensure(product1("a", "Ape", 6));
            assertThat(old.commit()).isInstanceOf(CommitResult.NothingToDo.class);
        }
        try (Session restarted = open(PRODUCT_1);
                Session deployed = open(PRODUCT_2)) {
            assertThat(restarted.find("Product", "b").orElseThrow().fields()).containsEntry("name", "Bee");
            restarted.ensure(product1("c", "Cat", 7));
            restarted.commit();

            assertThat(deployed.find("Product", "a").orElseThrow().fields())
                    .isEqualTo(Map.of("id", "a", "title", "Ape", "price", 6.0, "note", "n", "state", "sold"));
            assertThat(deployed.find("Product", "b").orElseThrow().fields()).containsEntry("state", "new");
            assertThat(deployed.entities("Product").list()).hasSize(3);
            assertThat(deployed.entities("Product").omitted()).isZero();
        }
    }

    @Test
    void relations_go_on_too() {
        commit(
                List.of(PRODUCT_1, NEXT_1),
                product1("a", "Ant", 3),
                product1("b", "Bee", 4),
                relation("Next", "a", "b", Map.of("weight", 1L)));
        try (Session old = open(PRODUCT_1, NEXT_1)) {
            migrate(Upgraders.none(), PRODUCT_2, NEXT_2);
            commit(List.of(PRODUCT_2, NEXT_2), relation("Next", "a", "b", Map.of("weight", 1L, "why", "x")));

            old.ensure(
                    relation("Next", "a", "b", Map.of("weight", 2L)), relation("Next", "b", "a", Map.of("weight", 3L)));
            old.commit();

            assertThat(old.relations("Next")
                            .where(field("left.$.name").eq("Ant"))
                            .list())
                    .extracting(Row::fields)
                    .containsExactly(Map.of("weight", 2L));
            assertThat(old.traverse("Product").via("Next").list()).hasSize(2);
        }
        try (Session deployed = open(PRODUCT_2, NEXT_2)) {
            assertThat(deployed.relations("Next").list())
                    .extracting(Row::fields)
                    .containsExactly(Map.of("weight", 2L, "why", "x"), Map.of("weight", 3L, "why", "?"));
        }
    }

    @Test
    void a_value_that_the_previous_model_cannot_hold_is_an_error_there_and_not_another_value() {
        commit(List.of(PRODUCT_1), product1("a", "Ant", 3), product1("b", "Bee", 4));
        migrate(Upgraders.none(), PRODUCT_2);
        commit(List.of(PRODUCT_2), product2("a", "Ant", 2.5, "new"));

        try (Session old = open(PRODUCT_1)) {
            assertThatThrownBy(old.entities("Product")::list)
                    .isInstanceOf(UnreadableRowsException.class)
                    .hasMessageContaining("'a' from version 2 to 1");
            assertThatThrownBy(() -> old.find("Product", "a")).hasMessageContaining("version 2");
            assertThat(old.find("Product", "b")).isPresent();
            assertThat(old.entities("Product").omitUnreadable().list()).hasSize(1);
            assertThat(old.entities("Product").omitted()).isEqualTo(1);
        }
    }

    @Test
    void a_program_that_cannot_go_on_is_stopped_with_both_versions_and_what_to_deploy() {
        OntologyType named = entityType("Product", text("name"));
        commit(List.of(PRODUCT_1), product1("a", "Ant", 3));
        try (Session old = open(PRODUCT_1)) {
            migrate(Upgraders.none(), named);

            old.ensure(product1("a", "Ape", 3));
            assertThatThrownBy(old.entities("Product")::list)
                    .isInstanceOf(SchemaOutdatedException.class)
                    .hasMessageContaining("version 1")
                    .hasMessageContaining("version 2");
            assertThatThrownBy(old::commit)
                    .isInstanceOf(SchemaOutdatedException.class)
                    .hasMessageContaining("models of version 2");
            old.discard();
        }
        assertThatThrownBy(() -> open(PRODUCT_1))
                .isInstanceOf(SchemaOutdatedException.class)
                .hasMessageContaining("this program has version 1")
                .hasMessageContaining("the store has version 2")
                .hasMessageContaining("deploy the version of this program");
    }

    @Test
    void after_an_upgrader_of_a_program_the_previous_one_is_stopped() {
        commit(List.of(CUSTOMER_1), alice("Gold"));
        migrate(Upgraders.of(SPLIT_NAME), CUSTOMER_2);

        assertThatThrownBy(() -> open(CUSTOMER_1))
                .isInstanceOf(SchemaOutdatedException.class)
                .hasMessageContaining("this program has version 1");
    }

    @Test
    void a_removed_field_with_a_default_has_it_in_the_previous_model() {
        OntologyType before =
                entityType("Product", text("name"), integer("price").withDefault(1L));
        commit(List.of(before), product1("a", "Ant", 3));
        migrate(Upgraders.none(), entityType("Product", text("name")));

        try (Session old = open(before)) {
            assertThat(old.find("Product", "a").orElseThrow().fields()).containsEntry("price", 1L);
            old.ensure(product1("a", "Ape", 9));
            old.commit();
        }
        assertThat(entities("Product").get("a")).isEqualTo(Map.of("id", "a", "name", "Ape"));
    }

    @Test
    void several_migrations_are_followed() {
        OntologyType third = entityType(
                "Product",
                text("title"),
                FieldDef.of("price", Primitive.FLOAT),
                text("state"),
                text("origin").withDefault("?"));
        commit(List.of(PRODUCT_1), product1("a", "Ant", 3));
        try (Session old = open(PRODUCT_1)) {
            migrate(Upgraders.none(), PRODUCT_2);
            migrate(Upgraders.none(), third);

            old.ensure(product1("b", "Bee", 4));
            old.commit();
            assertThat(old.entities("Product").list()).hasSize(2);
        }
        assertThat(entities("Product").get("b"))
                .isEqualTo(Map.of("id", "b", "title", "Bee", "price", 4.0, "state", "new", "origin", "?"));
    }

    @Test
    void writers_of_both_versions_lose_nothing_of_each_other() {
        commit(List.of(PRODUCT_1), product1("a", "Ant", 0));
        migrate(Upgraders.none(), PRODUCT_2);
        try (Racers racers = new Racers(2)) {
            racers.race(number -> {
                OntologyType type = number == 0 ? PRODUCT_1 : PRODUCT_2;
                try (Session session = Ontologia.open(uri(), patient("writer" + number), Model.of(type))) {
                    for (int i = 1; i <= 5; i++) {
                        session.ensure(
                                number == 0 ? product1("o" + i, "Old", i) : product2("n" + i, "New", i, "s" + i));
                        session.commit();
                    }
                }
                return number;
            });
        }
        Map<String, Map<String, @Nullable Object>> all = entities("Product");
        assertThat(all).hasSize(11);
        assertThat(all.get("o5")).containsEntry("state", "new").containsEntry("title", "Old");
        assertThat(all.get("n5")).containsEntry("state", "s5").containsEntry("title", "New");
    }

    @Test
    void an_upgrader_is_recorded_as_code_even_for_a_compatible_change() {
        commit(List.of(PRODUCT_1), product1("a", "Ant", 3));
        Upgrader shouting = Upgrader.entity("Product", 1, fields -> {
            fields.put("note", "!");
            return fields;
        });
        OntologyType noted = entityType(
                "Product", text("name"), integer("price"), FieldDef.of("note", TypeSpec.orNull(Primitive.STR)));
        migrate(Upgraders.of(shouting), noted);

        try (Session session = open(noted)) {
            assertThat(session.find("Product", "a").orElseThrow().fields()).containsEntry("note", "!");
            assertThatThrownBy(session.entities("Product").asOf(1)::list).isInstanceOf(UnreadableRowsException.class);
        }
    }
}
