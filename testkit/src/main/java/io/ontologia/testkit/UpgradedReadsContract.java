package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Order;
import io.ontologia.core.Progress;
import io.ontologia.core.Query;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How the past is read after a migration, on every backend. The store of each test has four commits: 1 and 2 wrote prices
 * in euros, 3 migrated them to cents, 4 wrote cents.
 */
public abstract class UpgradedReadsContract extends StorageSuite {
    private static final OntologyType ITEM_1 = entityType("Item", integer("euros"), text("shelf"));
    private static final OntologyType ITEM_2 = entityType("Item", integer("cents"), text("shelf"));
    private static final OntologyType NEXT = relationType("Next", "Item", "Item", text("why"));

    private static final Upgraders UPGRADERS = Upgraders.of(Upgrader.entity("Item", 1, fields -> {
        Object euros = fields.remove("euros");
        fields.put("cents", (Long) Objects.requireNonNull(euros) * 100);
        return fields;
    }));

    @BeforeEach
    final void fill() {
        commit(
                List.of(ITEM_1, NEXT),
                item1("a", 3, "top"),
                item1("b", 1, "low"),
                item1("c", 2, "top"),
                relation("Next", "a", "b", Map.of("why", "x")),
                relation("Next", "b", "c", Map.of("why", "y")));
        commit(List.of(ITEM_1, NEXT), item1("a", 5, "low"));
        try (Maintenance maintenance = maintain()) {
            maintenance.migration(Model.of(ITEM_2, NEXT), UPGRADERS).force(Map.of(), Progress.none());
        }
        commit(List.of(ITEM_2, NEXT), entity("Item", "b", Map.of("cents", 42L, "shelf", "low")));
    }

    private static Row item1(String key, long euros, String shelf) {
        return entity("Item", key, Map.of("euros", euros, "shelf", shelf));
    }

    private Session upgraded() {
        return open(UPGRADERS, ITEM_2, NEXT);
    }

    private static List<String> cents(Query<Row> query) {
        return query.results().stream().map(UpgradedReadsContract::cents).toList();
    }

    private static String cents(Result<Row> row) {
        return row.identity() + "@" + row.commitId() + "="
                + row.value().fields().get("cents");
    }

    @Test
    void without_upgraders_answers_that_would_lack_older_rows_fail() {
        try (Session session = open(ITEM_2, NEXT)) {
            Query<Row> before = session.entities("Item").asOf(2);

            assertUnreadable(before::list);
            assertUnreadable(before::first);
            assertUnreadable(before::count);
            assertUnreadable(() -> before.aggregate(Aggregate.count("n")));
            assertUnreadable(before.where(field("$.cents").gt(0L))::list);
            assertUnreadable(session.entities("Item").withHistory()::list);
            assertUnreadable(() -> session.findAsOf("Item", "a", 1));
            assertUnreadable(() -> session.findHistory("Item", "a"));
            assertUnreadable(session.traverse("Item").via("Next").asOf(2)::list);
            assertUnreadable(session.relations("Next")
                    .asOf(2)
                    .where(field("left.$.cents").gt(0L))::list);
            assertThat(session.entities("Item").asOf(4).count()).isEqualTo(3);
            assertThat(session.entities("Item").historySince(2).list()).hasSize(4);
            assertThat(session.relations("Next").asOf(2).list()).hasSize(2);
        }
    }

    private static void assertUnreadable(ThrowableAssert.ThrowingCallable question) {
        assertThatThrownBy(question)
                .isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
                    assertThat(e.details()).containsEntry("schema_version_id", 1L);
                })
                .hasMessageContaining("entity Item in version 2")
                .hasMessageContaining("version 1")
                .hasMessageContaining("omitUnreadable");
    }

    @Test
    void older_rows_that_cannot_be_shown_are_left_out_on_request_and_counted() {
        try (Session session = open(ITEM_2, NEXT)) {
            Query<Row> before = session.entities("Item").asOf(2).omitUnreadable();
            Query<Row> history = session.entities("Item").withHistory().omitUnreadable();

            assertThat(before.list()).isEmpty();
            assertThat(before.count()).isZero();
            assertThat(session.traverse("Item")
                            .via("Next")
                            .asOf(2)
                            .omitUnreadable()
                            .list())
                    .isEmpty();
            assertThat(before.omitted()).isEqualTo(3);
            assertThat(before.where(field("$.cents").gt(0L)).omitted()).isEqualTo(3);
            assertThat(cents(history)).containsExactly("a@3=500", "b@3=100", "c@3=200", "b@4=42");
            assertThat(history.omitted()).isEqualTo(4);
            assertThat(session.entities("Item").omitted()).isZero();
        }
    }

    @Test
    void with_upgraders_the_past_comes_back_in_the_new_form() {
        try (Session session = upgraded()) {
            assertThat(cents(session.entities("Item").asOf(1))).containsExactly("a@1=300", "b@1=100", "c@1=200");
            assertThat(cents(session.entities("Item").asOf(2))).containsExactly("a@2=500", "b@1=100", "c@1=200");
            assertThat(cents(session.entities("Item").withHistory()))
                    .containsExactly(
                            "a@1=300", "b@1=100", "c@1=200", "a@2=500", "a@3=500", "b@3=100", "c@3=200", "b@4=42");
            assertThat(cents(session.entities("Item").historySince(3))).containsExactly("b@4=42");
            assertThat(session.entities("Item").asOf(1).omitted()).isZero();
        }
    }

    @Test
    void filters_look_at_upgraded_rows() {
        try (Session session = upgraded()) {
            Query<Row> costly =
                    session.entities("Item").asOf(1).where(field("$.cents").gte(200L));

            assertThat(cents(costly)).containsExactly("a@1=300", "c@1=200");
            assertThat(costly.count()).isEqualTo(2);
        }
    }

    @Test
    void order_limit_offset_and_paging_work_on_upgraded_rows() {
        try (Session session = upgraded()) {
            Query<Row> past = session.entities("Item").asOf(1);
            Order ascending = field("$.cents").ascending();
            Order descending = field("$.cents").descending();
            Order byShelf = field("$.shelf").descending();

            assertThat(cents(past.orderBy(ascending))).containsExactly("b@1=100", "c@1=200", "a@1=300");
            assertThat(cents(past.orderBy(descending).limit(1).offset(1))).containsExactly("c@1=200");
            assertThat(cents(past.orderBy(byShelf))).containsExactly("a@1=300", "c@1=200", "b@1=100");
            assertThat(cents(past.limit(1).after(new Identity.OfEntity("a")))).containsExactly("b@1=100");
            assertThat(past.limit(1).count()).isEqualTo(3);
            assertThat(past.first().orElseThrow().fields()).containsEntry("cents", 300L);
        }
    }

    @Test
    void aggregates_are_computed_over_upgraded_rows() {
        try (Session session = upgraded()) {
            FieldExpression<?> cents = field("$.cents");

            List<Map<String, Object>> byShelf = notNull(session.entities("Item")
                    .asOf(1)
                    .groupBy(field("$.shelf"))
                    .aggregate(
                            Aggregate.count("n"),
                            Aggregate.sum("sum", cents),
                            Aggregate.avg("avg", cents),
                            Aggregate.min("min", cents),
                            Aggregate.max("max", cents),
                            Aggregate.countWhere("cheap", field("$.cents").lt(250L))));

            assertThat(byShelf)
                    .containsExactly(
                            Map.of(
                                    "$.shelf", "low", "n", 1L, "sum", 100L, "avg", 100.0, "min", 100L, "max", 100L,
                                    "cheap", 1L),
                            Map.of(
                                    "$.shelf", "top", "n", 2L, "sum", 500L, "avg", 250.0, "min", 200L, "max", 300L,
                                    "cheap", 1L));
            assertThat(session.entities("Item")
                            .asOf(1)
                            .groupBy(field("$.shelf"))
                            .having("n", Filter.Op.GT, 1L)
                            .aggregate(Aggregate.count("n")))
                    .containsExactly(Map.of("$.shelf", "top", "n", 2L));
            assertThat(session.entities("Item").asOf(0).aggregate(Aggregate.count("n")))
                    .containsExactly(Map.of("n", 0L));
        }
    }

    @SuppressWarnings("unchecked") // the groups of this test hold no null
    private static List<Map<String, Object>> notNull(List<? extends Map<String, ?>> groups) {
        return (List<Map<String, Object>>) groups;
    }

    @Test
    void relations_of_the_past_are_filtered_by_ends_in_the_new_form() {
        OntologyType next2 = relationType("Next", "Item", "Item", text("reason"));
        Upgraders both = Upgraders.of(UPGRADERS.all().iterator().next(), Upgrader.relation("Next", 1, fields -> {
            fields.put("reason", fields.remove("why"));
            return fields;
        }));
        try (Maintenance maintenance = maintain()) {
            maintenance.migration(Model.of(ITEM_2, next2), both).force(Map.of(), Progress.none());
        }

        try (Session session = open(both, ITEM_2, next2)) {
            Query<Row> past = session.relations("Next").asOf(2);

            assertThat(past.where(field("left.$.cents").eq(500L)).list())
                    .extracting(row -> row.identity() + " " + row.fields().get("reason"))
                    .containsExactly("a -> b x");
            assertThat(past.where(field("right.$.cents").eq(200L)).list())
                    .extracting(row -> row.identity() + " " + row.fields().get("reason"))
                    .containsExactly("b -> c y");
            assertThat(past.orderBy(field("left.$.cents").ascending()).list())
                    .extracting(row -> row.identity().toString())
                    .containsExactly("b -> c", "a -> b");
        }
    }

    @Test
    void rows_that_no_upgrader_leads_from_or_that_fail_are_an_error_or_left_out_and_counted() {
        OntologyType item3 =
                entityType("Item", integer("cents"), text("shelf"), text("note").withDefault(""));
        Upgrader noted = Upgrader.entity("Item", 2, fields -> fields);
        Upgrader failing = Upgrader.entity("Item", 1, fields -> {
            if ("top".equals(fields.get("shelf"))) {
                throw new IllegalStateException("not from the top shelf");
            }
            return UPGRADERS.upgrade(TypeRef.entity("Item"), 1, 2, fields);
        });
        try (Maintenance maintenance = maintain()) {
            maintenance.migration(Model.of(item3, NEXT), Upgraders.of(noted)).force(Map.of(), Progress.none());
        }

        try (Session gap = open(Upgraders.of(noted), item3, NEXT);
                Session failure = open(Upgraders.of(noted, failing), item3, NEXT)) {
            assertThat(cents(gap.entities("Item").asOf(4))).containsExactly("a@3=500", "b@4=42", "c@3=200");
            assertThatThrownBy(gap.entities("Item").asOf(1)::list).hasMessageContaining("they have version 1");
            assertThat(gap.entities("Item").asOf(1).omitUnreadable().list()).isEmpty();
            assertThat(gap.entities("Item").asOf(1).omitted()).isEqualTo(3);
            assertThatThrownBy(failure.entities("Item").asOf(1)::list).hasMessageContaining("not from the top shelf");
            assertThat(cents(failure.entities("Item").asOf(1).omitUnreadable())).containsExactly("b@1=100");
            assertThat(failure.entities("Item").asOf(1).omitted()).isEqualTo(2);
        }
    }

    @Test
    void the_present_is_read_as_ever() {
        try (Session session = upgraded()) {
            assertThat(cents(session.entities("Item"))).containsExactly("a@3=500", "b@4=42", "c@3=200");
        }
    }
}
