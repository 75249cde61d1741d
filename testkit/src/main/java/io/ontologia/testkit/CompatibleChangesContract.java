package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Cascade;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.MigrationPlan;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Query;
import io.ontologia.core.RelationType;
import io.ontologia.core.Restoration;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.SchemaChange;
import io.ontologia.core.SchemaChange.Kind;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgraders;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Schema changes that need no upgrader, and the past that stays visible through them, on every backend. */
public abstract class CompatibleChangesContract extends MigrationSuite {
    private static final TypeRef ITEM = TypeRef.entity("Item");
    private static final OntologyType ITEM_1 =
            entityType("Item", text("name"), text("tier"), integer("price"), text("old"));

    /** Every kind of compatible change at once. */
    private static final OntologyType ITEM_2 = entityType(
            "Item",
            text("title").withFormerName("name"),
            text("tier").withIndex(),
            FieldDef.of("price", Primitive.FLOAT),
            FieldDef.of("note", TypeSpec.orNull(Primitive.STR)),
            text("state").withDefault("new"));

    private static final OntologyType ITEM_3 = entityType(
            "Item",
            text("title"),
            FieldDef.of("tier", TypeSpec.orNull(Primitive.STR)),
            FieldDef.of("price", Primitive.FLOAT),
            FieldDef.of("note", TypeSpec.orNull(Primitive.STR)),
            text("status").withFormerName("state"));

    private static Row item1(String key, String name, String tier, long price) {
        return entity("Item", key, Map.of("name", name, "tier", tier, "price", price, "old", "x"));
    }

    private void fillThreeVersions() {
        commit(List.of(ITEM_1), item1("a", "Ant", "Gold", 3), item1("b", "Bee", "Silver", 4));
        migrate(Upgraders.none(), ITEM_2);
        commit(
                List.of(ITEM_2),
                entity(
                        "Item",
                        "c",
                        fields("title", "Cat", "tier", "Gold", "price", 2.5, "note", "n", "state", "sold")));
        migrate(Upgraders.none(), ITEM_3);
        commit(
                List.of(ITEM_3),
                entity(
                        "Item",
                        "a",
                        fields("title", "Ape", "tier", null, "price", 9.0, "note", null, "status", "sold")));
    }

    private static Map<String, @Nullable Object> fields(@Nullable Object... keysAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(String.valueOf(keysAndValues[i]), keysAndValues[i + 1]);
        }
        return fields;
    }

    private static List<String> shown(Query<Row> query) {
        return query.results().stream().map(CompatibleChangesContract::shown).toList();
    }

    private static String shown(Result<Row> row) {
        Map<String, @Nullable Object> fields = row.value().fields();
        return row.identity() + "@" + row.commitId() + " " + fields.get("title") + " " + fields.get("tier") + " "
                + fields.get("price") + " " + fields.get("note") + " " + fields.get("status");
    }

    @Test
    void the_plan_says_for_each_change_what_happens_to_old_rows() {
        commit(List.of(ITEM_1), item1("a", "Ant", "Gold", 3));

        MigrationPlan plan = preview(Upgraders.none(), ITEM_2);

        assertThat(plan.missingUpgraders()).isEmpty();
        assertThat(plan.typesRequiringUpgraders()).isEmpty();
        assertThat(plan.typesUpgradedBySteps()).containsExactly(ITEM);
        assertThat(plan.changes().get(ITEM))
                .containsExactlyInAnyOrder(
                        new SchemaChange("title", Kind.RENAMED, "the value of 'name' is kept under the new name"),
                        new SchemaChange("tier", Kind.INDEX, "an index is added, and rows stay as they are"),
                        new SchemaChange("price", Kind.INT_TO_FLOAT, "integers become floats"),
                        new SchemaChange("note", Kind.ADDED, "they get null"),
                        new SchemaChange("state", Kind.ADDED, "they get \"new\""),
                        new SchemaChange(
                                "old", Kind.REMOVED, "the value is left out; earlier commits keep it in the store"));
    }

    @Test
    void rows_are_migrated_without_upgraders() {
        commit(List.of(ITEM_1), item1("a", "Ant", "Gold", 3));

        migrate(Upgraders.none(), ITEM_2);

        assertThat(entities("Item").get("a"))
                .isEqualTo(
                        fields("id", "a", "title", "Ant", "tier", "Gold", "price", 3.0, "note", null, "state", "new"));
    }

    @Test
    void the_past_is_shown_in_the_present_schema_without_code() {
        fillThreeVersions();

        for (Session session : List.of(open(ITEM_3), Ontologia.openStored(uri(), options("reader")))) {
            try (session) {
                Query<Row> items = session.entities("Item");
                assertThat(shown(items.asOf(1)))
                        .containsExactly("a@1 Ant Gold 3.0 null new", "b@1 Bee Silver 4.0 null new");
                assertThat(shown(items.asOf(3)))
                        .containsExactly(
                                "a@2 Ant Gold 3.0 null new", "b@2 Bee Silver 4.0 null new", "c@3 Cat Gold 2.5 n sold");
                assertThat(shown(items.withHistory().where(field("$.id").eq("a"))))
                        .containsExactly(
                                "a@1 Ant Gold 3.0 null new",
                                "a@2 Ant Gold 3.0 null new",
                                "a@4 Ant Gold 3.0 null new",
                                "a@5 Ape null 9.0 null sold");
                assertThat(session.findAsOf("Item", "b", 1).orElseThrow().fields())
                        .containsEntry("status", "new")
                        .doesNotContainKey("old");
                assertThat(session.findHistory("Item", "c")).hasSize(2);
                assertThat(items.asOf(1).omitted()).isZero();
            }
        }
    }

    @Test
    void filters_orders_and_counts_of_the_past_look_at_the_present_schema() {
        fillThreeVersions();

        try (Session session = open(ITEM_3)) {
            Query<Row> past = session.entities("Item").asOf(3);
            assertThat(past.where(field("$.tier").eq("Gold")).count()).isEqualTo(2);
            assertThat(shown(past.where(field("$.price").gt(3)))).containsExactly("b@2 Bee Silver 4.0 null new");
            assertThat(past.where(field("$.status").eq("new")).count()).isEqualTo(2);
            assertThat(past.where(field("$.title").eq("Bee")).list()).hasSize(1);
            assertThat(past.where(field("$.note").isNull()).count()).isEqualTo(2);
            assertThat(shown(past.orderBy(field("$.price").descending()).limit(1)))
                    .containsExactly("b@2 Bee Silver 4.0 null new");
            assertThat(shown(past.orderBy(
                                    field("$.status").descending(),
                                    field("$.title").ascending())
                            .limit(1)))
                    .containsExactly("c@3 Cat Gold 2.5 n sold");
            assertThat(past.limit(1).offset(1).list()).hasSize(1);
        }
    }

    @Test
    void aggregates_of_the_past_are_computed_over_the_present_schema() {
        fillThreeVersions();

        try (Session session = open(ITEM_3)) {
            Query<Row> first = session.entities("Item").asOf(1);
            assertThat(first.aggregate(Aggregate.count("n"))).containsExactly(Map.of("n", 2L));
            assertThat(first.aggregate(Aggregate.max("m", field("$.price")))).containsExactly(Map.of("m", 4.0));
            assertThat(first.groupBy(field("$.status")).aggregate(Aggregate.count("n")))
                    .containsExactly(Map.of("$.status", "new", "n", 2L));
            assertThat(session.entities("Item").asOf(3).groupBy(field("$.tier")).aggregate(Aggregate.count("n")))
                    .containsExactly(Map.of("$.tier", "Gold", "n", 2L), Map.of("$.tier", "Silver", "n", 1L));
        }
    }

    @Test
    void differences_between_commits_are_shown_in_the_present_schema() {
        fillThreeVersions();

        try (Session session = open(ITEM_3)) {
            assertThat(session.log().diff(1, 2)).isEmpty();
            assertThat(session.log().diff(1, 5)).hasSize(2).anySatisfy(change -> {
                assertThat(change.identity()).hasToString("a");
                assertThat(change.before().orElseThrow())
                        .containsEntry("title", "Ant")
                        .containsEntry("status", "new")
                        .doesNotContainKey("name");
                assertThat(change.after()).containsEntry("title", "Ape");
            });
        }
    }

    @Test
    void relations_and_their_ends_are_shown_in_the_present_schema() {
        RelationType next1 = relationType("Next", "Item", "Item", integer("weight"));
        RelationType next2 = relationType(
                "Next",
                "Item",
                "Item",
                FieldDef.of("weight", Primitive.FLOAT),
                text("why").withDefault("?"));
        commit(
                List.of(ITEM_1, next1),
                item1("a", "Ant", "Gold", 3),
                item1("b", "Bee", "Silver", 4),
                relation("Next", "a", "b", Map.of("weight", 7L)));
        migrate(Upgraders.none(), ITEM_2, next2);

        try (Session session = open(ITEM_2, next2)) {
            Query<Row> past = session.relations("Next").asOf(1);
            assertThat(past.list().get(0).fields()).isEqualTo(Map.of("weight", 7.0, "why", "?"));
            assertThat(past.where(field("left.$.title").eq("Ant")).count()).isEqualTo(1);
            assertThat(past.where(field("right.$.tier").eq("Silver")).count()).isEqualTo(1);
            assertThat(past.where(field("right.$.state").eq("sold")).count()).isZero();
            assertThat(session.traverse("Item").via("Next").asOf(1).list())
                    .singleElement()
                    .satisfies(path -> {
                        assertThat(path.source().value().fields()).containsEntry("title", "Ant");
                        assertThat(path.hops()
                                        .get(0)
                                        .target()
                                        .orElseThrow()
                                        .value()
                                        .fields())
                                .containsEntry("title", "Bee");
                    });
        }
    }

    @Test
    void an_instance_key_keeps_telling_relations_apart() {
        RelationType job1 =
                new RelationType("Job", "Item", "Item", Optional.of("stint"), List.of(text("stint"), text("role")));
        RelationType job2 = new RelationType(
                "Job",
                "Item",
                "Item",
                Optional.of("stint"),
                List.of(text("stint"), text("role"), FieldDef.of("until", TypeSpec.orNull(Primitive.STR))));
        commit(
                List.of(ITEM_1, job1),
                new Row.OfRelation("Job", "a", "b", "1", Map.of("role", "x")),
                new Row.OfRelation("Job", "a", "b", "2", Map.of("role", "y")));
        migrate(Upgraders.none(), ITEM_1, job2);

        try (Session session = open(ITEM_1, job2)) {
            assertThat(session.relations("Job").asOf(1).results())
                    .extracting(row -> row.identity() + " " + row.value().fields())
                    .containsExactly("a -> b [1] {role=x, until=null}", "a -> b [2] {role=y, until=null}");
        }
    }

    @Test
    void a_change_without_an_obvious_new_form_still_needs_an_upgrader() {
        commit(List.of(ITEM_1), item1("a", "Ant", "Gold", 3));

        for (OntologyType changed : List.of(
                entityType("Item", text("name"), text("tier"), text("price"), text("old")),
                entityType("Item", text("name"), text("tier"), integer("price"), text("old"), text("owner")))) {
            MigrationPlan plan = preview(Upgraders.none(), changed);

            assertThat(plan.missingUpgraders()).isEqualTo(Map.of(ITEM, List.of(1L)));
            assertThat(plan.changes().get(ITEM)).extracting(SchemaChange::kind).contains(Kind.INCOMPATIBLE);
            assertThatThrownBy(() -> migrate(Upgraders.none(), changed)).isInstanceOf(OntologiaException.class);
        }
    }

    @Test
    void the_token_depends_on_what_old_rows_get() {
        commit(List.of(ITEM_1), item1("a", "Ant", "Gold", 3));
        OntologyType one = entityType(
                "Item",
                text("name"),
                text("tier"),
                integer("price"),
                text("old"),
                text("s").withDefault("1"));
        OntologyType two = entityType(
                "Item",
                text("name"),
                text("tier"),
                integer("price"),
                text("old"),
                text("s").withDefault("2"));

        assertThat(preview(Upgraders.none(), one).token())
                .isNotEqualTo(preview(Upgraders.none(), two).token());
    }

    @Test
    void commits_from_before_a_migration_are_undone_in_the_present_schema() {
        commit(List.of(ITEM_1), item1("a", "Ant", "Gold", 3), item1("b", "Bee", "Silver", 4));
        try (Session session = open(ITEM_1)) {
            session.retract(Cascade.NONE, new RowRef(ITEM, new Identity.OfEntity("a")));
            session.commit();
            session.ensure(item1("b", "Bug", "Gold", 5));
            session.commit();
        }
        migrate(Upgraders.none(), ITEM_2);

        try (Session session = open(ITEM_2)) {
            session.restoration().revert(2, Restoration.LaterChanges.REFUSE, Cascade.NONE);
            session.commit();
            session.restoration().revert(3, Restoration.LaterChanges.REFUSE, Cascade.NONE);
            session.commit();
        }

        assertThat(entities("Item"))
                .containsEntry(
                        "a",
                        fields("id", "a", "title", "Ant", "tier", "Gold", "price", 3.0, "note", null, "state", "new"))
                .containsEntry(
                        "b",
                        fields(
                                "id", "b", "title", "Bee", "tier", "Silver", "price", 4.0, "note", null, "state",
                                "new"));
    }
}
