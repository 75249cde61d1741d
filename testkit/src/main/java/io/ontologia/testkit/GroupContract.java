package io.ontologia.testkit;

import static io.ontologia.core.Aggregate.avg;
import static io.ontologia.core.Aggregate.count;
import static io.ontologia.core.Aggregate.max;
import static io.ontologia.core.Aggregate.min;
import static io.ontologia.core.Aggregate.sum;
import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.instanceKey;
import static io.ontologia.core.Fields.key;
import static io.ontologia.core.Fields.leftKey;
import static io.ontologia.core.Fields.rightKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.FieldExpression;
import io.ontologia.core.Filter;
import io.ontologia.core.GroupOrder;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.MadeBy;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Groups in the order of what was computed, sums of integers, and keys in every expression. */
public abstract class GroupContract extends OntologySuite {
    private static final FieldExpression<Object> V = field("$.v");
    private static final FieldExpression<Object> W = field("$.w");
    private static final BigInteger TWO_TO_63 = BigInteger.TWO.pow(63);

    private static List<@Nullable Object> names(List<Map<String, @Nullable Object>> groups, String name) {
        return groups.stream().<@Nullable Object>map(group -> group.get(name)).toList();
    }

    private Query<Row> things(Object... rows) {
        Session session = openThings();
        for (Object row : rows) {
            session.ensure(row);
        }
        session.commit();
        return session.entities("Thing");
    }

    @Test
    void groups_are_sorted_by_what_was_computed_and_then_cut() {
        var byW = things(
                        thing("a", "w", "x", "v", 1L),
                        thing("b", "w", "x", "v", 2L),
                        thing("c", "w", "y", "v", 30L),
                        thing("d", "w", "z", "v", 4L),
                        thing("e", "w", "z", "v", 5L),
                        thing("f", "w", "z"),
                        thing("g"))
                .groupBy(W);

        assertThat(names(byW.orderGroups(GroupOrder.descending("n")).aggregate(count("n")), "$.w"))
                .containsExactly("z", "x", "y", null);
        assertThat(names(byW.orderGroups(GroupOrder.descending("n")).limit(2).aggregate(count("n")), "$.w"))
                .containsExactly("z", "x");
        assertThat(names(
                        byW.orderGroups(GroupOrder.ascending("n"))
                                .offset(1)
                                .limit(2)
                                .aggregate(count("n")),
                        "$.w"))
                .containsExactly(null, "x");
        assertThat(names(byW.orderGroups(GroupOrder.descending("s")).aggregate(sum("s", V)), "$.w"))
                .containsExactly("y", "z", "x", null);
        assertThat(names(byW.orderGroups(GroupOrder.ascending("s")).aggregate(sum("s", V)), "$.w"))
                .containsExactly("x", "z", "y", null);
        assertThat(names(byW.orderGroups(GroupOrder.descending("m")).aggregate(avg("m", V)), "$.w"))
                .containsExactly("y", "z", "x", null);
        assertThat(names(
                        byW.orderGroups(GroupOrder.ascending("n"), GroupOrder.descending(W))
                                .having("n", Filter.Op.EQ, 1)
                                .aggregate(count("n")),
                        "$.w"))
                .containsExactly("y", null);
    }

    @Test
    void groups_are_sorted_by_what_they_are_grouped_by() {
        var byW = things(thing("a", "w", "x"), thing("b", "w", 2L), thing("c", "w", true), thing("d", "w", null))
                .groupBy(W);

        assertThat(names(byW.orderGroups(GroupOrder.descending(W)).aggregate(count("n")), "$.w"))
                .containsExactly("x", 2L, true, null);
        assertThat(names(byW.orderBy(W.descending()).aggregate(count("n")), "$.w"))
                .containsExactly("x", 2L, true, null);
        assertThat(names(byW.orderBy(W.ascending()).aggregate(count("n")), "$.w"))
                .containsExactly(true, 2L, "x", null);
    }

    @Test
    void a_condition_can_name_what_is_grouped_by() {
        var byW = things(thing("a", "w", "x"), thing("b", "w", 2L), thing("c", "w", 3.5), thing("d", "w", null))
                .groupBy(W);

        assertThat(names(byW.having("$.w", Filter.Op.GT, 2).aggregate(count("n")), "$.w"))
                .containsExactly(3.5);
        assertThat(names(byW.having("$.w", Filter.Op.EQ, "x").aggregate(count("n")), "$.w"))
                .containsExactly("x");
        assertThat(names(byW.having("$.w", Filter.Op.NE, 2).aggregate(count("n")), "$.w"))
                .containsExactly(3.5);
    }

    @Test
    void numbers_and_texts_and_big_integers_are_sorted_exactly() {
        BigInteger far = BigInteger.TWO.pow(70);
        var byW = things(
                        thing("a", "w", "a", "v", "text"),
                        thing("b", "w", "b", "v", far.add(BigInteger.ONE)),
                        thing("c", "w", "c", "v", far),
                        thing("d", "w", "d", "v", 9.223372036854776e18),
                        thing("e", "w", "e", "v", Long.MAX_VALUE),
                        thing("f", "w", "f", "v", TWO_TO_63.add(BigInteger.ONE)),
                        thing("g", "w", "g", "v", -1.5),
                        thing("h", "w", "h", "v", far.negate()),
                        thing("i", "w", "i", "v", BigInteger.TEN.pow(60)))
                .groupBy(W);

        assertThat(names(byW.orderGroups(GroupOrder.ascending("m")).aggregate(max("m", V)), "$.w"))
                .containsExactly("h", "g", "e", "d", "f", "c", "b", "i", "a");
        assertThat(names(byW.orderGroups(GroupOrder.descending("m")).aggregate(min("m", V)), "$.w"))
                .containsExactly("a", "i", "b", "c", "f", "d", "e", "g", "h");
        assertThat(names(byW.orderGroups(GroupOrder.ascending("s")).aggregate(sum("s", V)), "$.w"))
                .containsExactly("h", "g", "e", "d", "f", "c", "b", "i", "a");
        assertThat(names(
                        byW.orderGroups(GroupOrder.descending("s"))
                                .having("s", Filter.Op.GT, TWO_TO_63)
                                .offset(1)
                                .limit(2)
                                .aggregate(sum("s", V)),
                        "$.w"))
                .containsExactly("b", "c");
    }

    @Test
    void the_sum_of_integers_is_exact() {
        var things = things(
                thing("a", "w", "large", "v", Long.MAX_VALUE),
                thing("b", "w", "large", "v", Long.MAX_VALUE),
                thing("c", "w", "large", "v", 3L),
                thing("d", "w", "low", "v", Long.MIN_VALUE),
                thing("e", "w", "low", "v", -1L),
                thing("f", "w", "back", "v", TWO_TO_63),
                thing("g", "w", "back", "v", TWO_TO_63.negate()),
                thing("h", "w", "back", "v", 9007199254740993L),
                thing("i", "w", "huge", "v", BigInteger.TEN.pow(60)),
                thing("j", "w", "huge", "v", 1L),
                thing("k", "w", "mixed", "v", 1L),
                thing("l", "w", "mixed", "v", 0.5),
                thing("m", "w", "real", "v", 2.0),
                thing("n", "w", "none", "v", "7"),
                thing("o", "w", "none", "v", true));
        var byW = things.groupBy(W);

        assertThat(byW.aggregate(sum("s", V)))
                .containsExactly(
                        fields("$.w", "back", "s", 9007199254740993L),
                        fields("$.w", "huge", "s", BigInteger.TEN.pow(60).add(BigInteger.ONE)),
                        fields(
                                "$.w",
                                "large",
                                "s",
                                TWO_TO_63.multiply(BigInteger.TWO).add(BigInteger.ONE)),
                        fields("$.w", "low", "s", TWO_TO_63.negate().subtract(BigInteger.ONE)),
                        fields("$.w", "mixed", "s", 1.5),
                        fields("$.w", "none", "s", null),
                        fields("$.w", "real", "s", 2.0));
        assertThat(things.where(W.eq("large"))
                        .having(
                                "s",
                                Filter.Op.EQ,
                                TWO_TO_63.multiply(BigInteger.TWO).add(BigInteger.ONE))
                        .aggregate(sum("s", V)))
                .hasSize(1);
        assertThat(things.asOf(1).where(W.eq("low")).aggregate(sum("s", V)))
                .containsExactly(fields("s", TWO_TO_63.negate().subtract(BigInteger.ONE)));
    }

    @Test
    void the_sum_of_a_float_field_is_a_double_and_that_of_an_integer_field_is_not() {
        Session session = open();
        commit(session, new Product("p1", "A", 3), new Product("p2", "B", 4), Customer.of("c1", "Gold", 30));
        commit(session, new Row.OfEntity("Product", "p3", fields("name", "C", "price", 5L)));

        assertThat(session.entities(Product.class).aggregate(sum("s", field(Product::price))))
                .containsExactly(fields("s", 12.0));
        assertThat(session.entities(Customer.class).aggregate(sum("s", field(Customer::age))))
                .containsExactly(fields("s", 30L));
    }

    @Test
    void keys_can_be_grouped_by_sorted_by_compared_and_aggregated() {
        Session session = open();
        commit(
                session,
                Customer.of("c1", "Gold", 1),
                Customer.of("c2", "Gold", 2),
                Customer.of("c3", "Iron", 3),
                new Subscription("c1", "p1", 5, true),
                new Subscription("c1", "p2", 1, true),
                new Subscription("c2", "p1", 7, true),
                new Visit("c3", "m1", "monday", 3),
                new Visit("c3", "m1", "tuesday", 4),
                new MadeBy("p1", "m1"));
        var subscriptions = session.relations(Subscription.class);

        assertThat(subscriptions
                        .groupBy(rightKey())
                        .orderGroups(GroupOrder.descending("n"))
                        .having("right_key", Filter.Op.GTE, "p")
                        .aggregate(count("n"), min("first", leftKey()), max("last", leftKey())))
                .containsExactly(
                        fields("right_key", "p1", "n", 2L, "first", "c1", "last", "c2"),
                        fields("right_key", "p2", "n", 1L, "first", "c1", "last", "c1"));
        assertThat(subscriptions
                        .where(rightKey().ne("p2"))
                        .groupBy(leftKey())
                        .orderGroups(GroupOrder.descending(leftKey()))
                        .aggregate(count("n")))
                .containsExactly(fields("left_key", "c2", "n", 1L), fields("left_key", "c1", "n", 1L));
        assertThat(keys(subscriptions.orderBy(rightKey().descending(), leftKey().ascending())))
                .containsExactly("c1 -> p2", "c1 -> p1", "c2 -> p1");
        assertThat(session.relations(Visit.class)
                        .groupBy(instanceKey())
                        .orderGroups(GroupOrder.descending(instanceKey()))
                        .having("instance_key", Filter.Op.NE, "monday")
                        .aggregate(count("n")))
                .containsExactly(fields("instance_key", "tuesday", "n", 1L));
        assertThat(session.entities(Customer.class)
                        .groupBy(key())
                        .having("key", Filter.Op.GT, "c1")
                        .orderGroups(GroupOrder.descending("key"))
                        .aggregate(max("m", key())))
                .containsExactly(fields("key", "c3", "m", "c3"), fields("key", "c2", "m", "c2"));
        assertThat(session.entities(Customer.class)
                        .groupBy(field(Customer::id))
                        .having("$.id", Filter.Op.GT, "c2")
                        .orderGroups(GroupOrder.ascending(field(Customer::id)))
                        .aggregate(count("n")))
                .containsExactly(fields("$.id", "c3", "n", 1L));
    }

    @Test
    void an_order_that_names_nothing_is_refused() {
        var byW = things(thing("a")).groupBy(W);

        assertFails(
                ErrorKind.INVALID_INPUT,
                "no aggregate called 'm'",
                () -> byW.orderGroups(GroupOrder.ascending("m")).aggregate(count("n")));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "nothing is grouped by it",
                () -> byW.orderBy(V.ascending()).aggregate(count("n")));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "compared with numbers and texts",
                () -> byW.having("$.w", Filter.Op.EQ, true));
    }
}
