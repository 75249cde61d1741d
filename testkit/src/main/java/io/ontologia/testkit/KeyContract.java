package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.instanceKey;
import static io.ontologia.core.Fields.key;
import static io.ontologia.core.Fields.left;
import static io.ontologia.core.Fields.leftKey;
import static io.ontologia.core.Fields.rightKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.EntityType;
import io.ontologia.core.Explanation;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Query;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Queries by key: what they find, and that they are look-ups, now and in the past. */
public abstract class KeyContract extends OntologySuite {

    /** Two commits; the second changes one of each. */
    private Session shop() {
        Session session = open();
        commit(
                session,
                Customer.of("c1", "Gold", 1),
                Customer.of("c2", "Gold", 2),
                Customer.of("c3", "Silver", 3),
                new Product("p1", "Analytics", 9.5),
                new Subscription("c1", "p1", 5, true),
                new Subscription("c1", "p2", 1, false),
                new Subscription("c2", "p1", 50, true),
                new Subscription("nobody", "p1", 2, true),
                new Visit("c1", "m1", "monday", 10),
                new Visit("c1", "m1", "tuesday", 20),
                new Visit("c2", "m2", "monday", 30));
        tick();
        commit(session, Customer.of("c1", "Iron", 10), new Subscription("c1", "p1", 6, true));
        return session;
    }

    @Test
    void entities_are_found_by_their_key() {
        Session session = shop();

        assertThat(session.entities(Customer.class).where(key().eq("c1")).list())
                .containsExactly(Customer.of("c1", "Iron", 10));
        assertThat(session.entities(Customer.class)
                        .where(field(Customer::id).eq("c1"))
                        .list())
                .containsExactly(Customer.of("c1", "Iron", 10));
        assertThat(keys(session.entities("Customer")
                        .where(field("$.id").in(List.of("c3", "c2", "c2", "x")))
                        .orderBy(key().descending())))
                .containsExactly("c3", "c2");
        assertThat(session.entities(Customer.class).where(key().eq("c1")).count())
                .isEqualTo(1);
        assertThat(session.entities(Customer.class).where(key().eq("x")).first())
                .isEmpty();
        assertThat(session.entities(Customer.class).where(key().in(List.of())).list())
                .isEmpty();
    }

    @Test
    void keys_are_compared_like_other_texts() {
        Session session = shop();
        Query<Customer> customers = session.entities(Customer.class);

        assertThat(keys(customers.where(key().gt("c1")))).containsExactly("c2", "c3");
        assertThat(keys(customers.where(key().ne("c1").and(key().startsWith("c")))))
                .containsExactly("c2", "c3");
        assertThat(keys(customers.where(key().eq("c1").or(field(Customer::tier).eq("Silver")))))
                .containsExactly("c1", "c3");
        assertThat(keys(customers.where(key().eq("c1").not()))).containsExactly("c2", "c3");
        assertThat(keys(customers.where(key().isNull()))).isEmpty();
        assertThat(keys(customers.where(key().isNotNull()))).containsExactly("c1", "c2", "c3");
        assertThat(keys(customers.where(key().eq("c1").and(key().eq("c2"))))).isEmpty();
        assertThat(keys(customers.where(
                        key().in(List.of("c1", "c2")).and(field(Customer::tier).eq("Gold")))))
                .containsExactly("c2");
    }

    @Test
    void texts_that_no_row_can_have_as_its_key_find_nothing() {
        Session session = shop();
        Query<Customer> customers = session.entities(Customer.class);

        for (String impossible : List.of("", " ", "\ud800", "a\udc00b")) {
            assertThat(customers.where(key().eq(impossible)).list()).isEmpty();
            assertThat(customers.where(key().eq(impossible)).withHistory().count())
                    .isZero();
        }
        assertThat(keys(customers.where(key().in(List.of("", "c1"))))).containsExactly("c1");
    }

    @Test
    void the_past_of_one_key_is_found() {
        Session session = shop();
        Instant first = session.log().get(1).orElseThrow().at();

        assertThat(session.findAsOf(Customer.class, "c1", 1)).contains(Customer.of("c1", "Gold", 1));
        assertThat(session.findAsOf(Customer.class, "c1", 2)).contains(Customer.of("c1", "Iron", 10));
        assertThat(session.findAsOf(Customer.class, "c1", first)).contains(Customer.of("c1", "Gold", 1));
        assertThat(session.findAsOf(Customer.class, "c1", 0)).isEmpty();
        assertThat(session.findAsOf("Customer", "c1", 1).orElseThrow().fields()).containsEntry("tier", "Gold");
        assertThat(session.findAsOf("Customer", "c1", first).orElseThrow().fields())
                .containsEntry("tier", "Gold");
        assertThat(session.findHistory(Customer.class, "c1"))
                .extracting(Result::commitId, result -> result.value().tier())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(1L, "Gold"),
                        org.assertj.core.groups.Tuple.tuple(2L, "Iron"));
        assertThat(session.findHistory("Customer", "c2"))
                .extracting(Result::commitId)
                .containsExactly(1L);
        assertThat(session.findHistory(Customer.class, "x")).isEmpty();
        assertThat(session.entities(Customer.class)
                        .where(key().eq("c1"))
                        .historySince(1)
                        .results())
                .extracting(Result::commitId)
                .containsExactly(2L);
        assertThat(session.entities(Customer.class)
                        .where(key().in(List.of("c1", "c2")))
                        .withHistory()
                        .orderBy(key().descending())
                        .limit(2)
                        .results())
                .extracting(result -> result.identity() + "@" + result.commitId())
                .containsExactly("c2@1", "c1@1");
    }

    @Test
    void relations_are_found_by_their_keys_whether_or_not_the_ends_exist() {
        Session session = shop();
        Query<Subscription> all = session.relations(Subscription.class);

        assertThat(keys(all.where(leftKey().eq("c1")))).containsExactly("c1 -> p1", "c1 -> p2");
        assertThat(keys(all.where(field(Subscription::leftKey).eq("nobody")))).containsExactly("nobody -> p1");
        assertThat(keys(all.where(rightKey().eq("p2")))).containsExactly("c1 -> p2");
        assertThat(keys(all.where(field(Subscription::rightKey).in(List.of("p2", "x")))))
                .containsExactly("c1 -> p2");
        assertThat(keys(all.where(rightKey().eq("p1").and(leftKey().eq("c2"))))).containsExactly("c2 -> p1");
        assertThat(keys(all.where(rightKey().eq("p1").and(left(Customer::tier).eq("Gold")))))
                .containsExactly("c2 -> p1");
        assertThat(keys(all.where(left(Customer::id).eq("nobody")))).isEmpty();
        assertThat(keys(all.where(left(Customer::id).eq("c2")))).containsExactly("c2 -> p1");
        assertThat(keys(session.relations(Visit.class).where(instanceKey().eq("monday"))))
                .containsExactly("c1 -> m1 [monday]", "c2 -> m2 [monday]");
        assertThat(keys(session.relations(Visit.class)
                        .where(field(Visit::day).eq("tuesday").and(leftKey().eq("c1")))))
                .containsExactly("c1 -> m1 [tuesday]");
        assertThat(keys(session.relations("Visit").where(field("$.day").eq("tuesday"))))
                .containsExactly("c1 -> m1 [tuesday]");
        assertThat(keys(all.where(instanceKey().eq("")))).hasSize(4);
    }

    @Test
    void the_past_of_relations_is_found_by_their_keys() {
        Session session = shop();
        Query<Subscription> all = session.relations(Subscription.class);

        for (Filter filter : List.of(
                leftKey().eq("c1").and(rightKey().eq("p1")),
                rightKey().eq("p1").and(leftKey().in(List.of("c1", "x"))))) {
            assertThat(all.where(filter).withHistory().results())
                    .extracting(result -> result.identity() + "@" + result.commitId() + "="
                            + result.value().seatCount())
                    .containsExactly("c1 -> p1@1=5", "c1 -> p1@2=6");
            assertThat(all.where(filter).asOf(1).list()).containsExactly(new Subscription("c1", "p1", 5, true));
        }
        assertThat(keys(all.where(rightKey().eq("p1")).asOf(1)))
                .containsExactly("c1 -> p1", "c2 -> p1", "nobody -> p1");
        assertThat(keys(all.where(rightKey().eq("p1")).withHistory()))
                .containsExactly("c1 -> p1", "c2 -> p1", "nobody -> p1", "c1 -> p1");
        assertThat(all.where(rightKey().in(List.of("p2", "x"))).withHistory().count())
                .isEqualTo(1);
    }

    @Test
    void rows_are_grouped_by_their_keys() {
        Session session = shop();
        Query<Subscription> all = session.relations(Subscription.class);

        assertThat(all.groupBy(leftKey()).aggregate(Aggregate.count("n")))
                .containsExactly(
                        Map.of("left_key", "c1", "n", 2L),
                        Map.of("left_key", "c2", "n", 1L),
                        Map.of("left_key", "nobody", "n", 1L));
        assertThat(all.groupBy(field(Subscription::rightKey))
                        .aggregate(Aggregate.count("n"), Aggregate.max("last", leftKey())))
                .containsExactly(
                        Map.of("right_key", "p1", "n", 3L, "last", "nobody"),
                        Map.of("right_key", "p2", "n", 1L, "last", "c1"));
        assertThat(session.relations(Visit.class)
                        .where(leftKey().eq("c1"))
                        .groupBy(instanceKey(), leftKey())
                        .aggregate(Aggregate.countWhere(
                                "long", field(Visit::minutes).gt(15))))
                .containsExactly(
                        Map.of("instance_key", "monday", "left_key", "c1", "long", 0L),
                        Map.of("instance_key", "tuesday", "left_key", "c1", "long", 1L));
        assertThat(session.relations("Visit").groupBy(field("$.day")).aggregate(Aggregate.count("n")))
                .containsExactly(Map.of("$.day", "monday", "n", 2L), Map.of("$.day", "tuesday", "n", 1L));
        assertThat(session.entities(Customer.class)
                        .asOf(1)
                        .groupBy(field(Customer::id))
                        .aggregate(Aggregate.min("age", field(Customer::age))))
                .containsExactly(
                        Map.of("$.id", "c1", "age", 1L),
                        Map.of("$.id", "c2", "age", 2L),
                        Map.of("$.id", "c3", "age", 3L));
    }

    @Test
    void a_result_cannot_have_the_name_of_what_is_grouped_by() {
        Session session = shop();

        assertFails(
                ErrorKind.INVALID_INPUT,
                "what is grouped by has the same name",
                () -> session.relations(Subscription.class).groupBy(leftKey()).aggregate(Aggregate.count("left_key")));
    }

    @Test
    void a_field_that_is_called_key_is_told_apart_from_the_key() {
        FieldDef text = FieldDef.of("key", TypeSpec.Primitive.STR);
        Model model = Model.of(new EntityType("Lock", List.of(FieldDef.of("id", TypeSpec.Primitive.STR), text), "id"));
        Session session = keep(Ontologia.open(uri(), options(), model));
        commit(session, new Row.OfEntity("Lock", "a", Map.of("key", "b")));
        commit(session, new Row.OfEntity("Lock", "b", Map.of("key", "c")));

        assertThat(keys(session.entities("Lock").where(field("key").eq("b")))).containsExactly("b");
        assertThat(keys(session.entities("Lock").where(field("$.key").eq("b")))).containsExactly("a");
    }

    @Test
    void keys_of_another_kind_of_row_are_refused() {
        Session session = shop();
        Query<Customer> customers = session.entities(Customer.class);
        Query<Subscription> subscriptions = session.relations(Subscription.class);

        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> customers.where(leftKey().eq("c1")));
        assertFails(ErrorKind.INVALID_INPUT, "no left and right end", () -> customers.groupBy(instanceKey()));
        assertFails(ErrorKind.INVALID_INPUT, "no key of its own", () -> subscriptions.where(key().eq("c1")));
        assertFails(ErrorKind.INVALID_INPUT, "no key of its own", () -> subscriptions.orderBy(key().ascending()));
    }

    @Test
    void many_keys_are_looked_up_at_once() {
        Session session = shop();
        List<String> many = Stream.concat(
                        Stream.of("c3", "p1"), IntStream.range(0, 100_000).mapToObj(i -> "x" + i))
                .toList();

        assertThat(keys(session.entities(Customer.class).where(key().in(many)))).containsExactly("c3");
        assertThat(session.relations(Subscription.class)
                        .where(rightKey().in(many))
                        .withHistory()
                        .count())
                .isEqualTo(4);
    }

    @Test
    void tests_for_keys_are_look_ups_in_every_window() {
        Session session = shop();
        List<UnaryOperator<Query<?>>> windows = List.of(now -> now, now -> now.asOf(1), Query::withHistory);
        Query<Customer> customers = session.entities(Customer.class);
        Query<Subscription> subscriptions = session.relations(Subscription.class);
        List<String> several = List.of("c1", "c2", "p1");

        for (UnaryOperator<Query<?>> window : windows) {
            for (Query<?> query :
                    List.of(customers.where(field(Customer::id).eq("c1")), customers.where(key().in(several)))) {
                assertThat(look(window.apply(query))).containsExactly(FieldPath.KEY);
            }
            for (Query<?> query : List.of(
                    subscriptions.where(leftKey().eq("c1")),
                    subscriptions.where(leftKey().in(several)))) {
                assertThat(look(window.apply(query))).containsExactly(FieldPath.LEFT_KEY);
            }
            for (Query<?> query : List.of(
                    subscriptions.where(rightKey().eq("p1")),
                    subscriptions.where(rightKey().in(several)))) {
                assertThat(look(window.apply(query))).containsExactly(FieldPath.RIGHT_KEY);
            }
        }
    }

    private static List<FieldPath> look(Query<?> query) {
        Explanation how = query.explain();
        assertThat(how.evaluated()).as(how.plan()).isEmpty();
        return how.pushedDown();
    }
}
