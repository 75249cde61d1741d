package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Explanation;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Order;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeSpec.Primitive;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What backends say about how they answer queries. */
public abstract class ExplainContract extends StorageSuite {
    private static final FieldPath TIER = FieldPath.of("tier");
    private static final FieldPath TAGS = FieldPath.of("extra", "tag");

    private static final Model MODEL = Model.of(
            entityType(
                    "Customer",
                    text("tier").withIndex(),
                    FieldDef.of("extra", Primitive.ANY).withDefault(null)),
            relationType("Knows", "Customer", "Customer", integer("n")));

    private Session filled() {
        Session session = Ontologia.open(uri(), options("session"), MODEL);
        for (int i = 0; i < 3; i++) {
            session.ensure(entity("Customer", "c" + i, Map.of("tier", i % 2 == 0 ? "Gold" : "Silver")));
            session.ensure(relation("Knows", "c0", "c" + i, Map.of("n", (long) i)));
            session.commit();
        }
        return session;
    }

    private static Filter is(FieldPath path, Object value) {
        return new Filter.At(path, new Filter.Compare(Filter.Op.EQ, value));
    }

    @Test
    void a_question_about_now_is_answered_from_the_latest_versions() {
        try (Session session = filled()) {
            Explanation how =
                    session.entities("Customer").where(is(TIER, "Gold")).explain();

            assertThat(how.source()).isEqualTo(Explanation.Source.LATEST);
            assertThat(how.pushedDown()).containsExactly(TIER);
            assertThat(how.evaluated()).isEmpty();
            assertThat(how.plan()).isNotBlank();
            assertThat(how.engine()).matches("\\w+ v?[0-9].*");
        }
    }

    @Test
    void a_question_about_the_past_is_answered_from_all_versions() {
        try (Session session = filled()) {
            Query<Row> query = session.entities("Customer");

            Query<Row> relations = session.relations("Knows");

            assertThat(Stream.of(query.asOf(2), query.withHistory(), relations.asOf(2), relations.withHistory())
                            .map(Query::explain))
                    .extracting(Explanation::source)
                    .containsOnly(Explanation.Source.HISTORY);
        }
    }

    @Test
    void what_lies_inside_a_value_is_taken_out_of_it() {
        try (Session session = filled()) {
            Explanation how = session.entities("Customer")
                    .where(is(TAGS, "x"))
                    .orderBy(new Order(TAGS, Order.Direction.ASCENDING))
                    .explain();

            assertThat(how.pushedDown()).isEmpty();
            assertThat(how.evaluated()).containsExactly(TAGS);
        }
    }

    @Test
    void the_ends_of_a_relation_are_part_of_it() {
        FieldPath end = FieldPath.parse("$.left.tier");
        try (Session session = filled()) {
            Explanation how = session.relations("Knows").where(is(end, "Gold")).explain();

            assertThat(Stream.concat(how.pushedDown().stream(), how.evaluated().stream()))
                    .containsExactly(end);
        }
    }

    @Test
    void explaining_changes_nothing_and_names_the_files_that_hold_the_rows() {
        try (Session session = filled()) {
            Explanation now = session.entities("Customer").explain();
            Explanation then = session.entities("Customer").asOf(1).explain();

            assertThat(session.head()).isEqualTo(3);
            assertThat(now.files()).hasSize(filesAfter(3));
            assertThat(then.files())
                    .hasSize(filesAfter(1))
                    .allSatisfy(file -> assertThat(file.maxCommitId()).isEqualTo(1));
            assertThat(List.of(now, then)).extracting(Explanation::bytesFetched).allMatch(bytes -> bytes >= 0);
        }
    }

    /** In how many files the backend keeps what so many commits wrote. */
    protected abstract int filesAfter(int commits);
}
