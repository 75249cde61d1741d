package io.ontologia.testkit;

import static io.ontologia.core.Aggregate.avg;
import static io.ontologia.core.Aggregate.avgLen;
import static io.ontologia.core.Aggregate.count;
import static io.ontologia.core.Aggregate.countWhere;
import static io.ontologia.core.Aggregate.max;
import static io.ontologia.core.Aggregate.min;
import static io.ontologia.core.Aggregate.sum;
import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static io.ontologia.core.Fields.right;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.FieldExpression;
import io.ontologia.core.Filter;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values computed over many rows, in all and for each group. */
public abstract class AggregateContract extends OntologySuite {
    private static final FieldExpression<Object> V = field("$.v");

    private Session shop() {
        Session session = open();
        session.ensure(
                Customer.of("c1", "Gold", 30).tagged("a", "b"),
                Customer.of("c2", "Gold", 40).tagged("a"),
                Customer.of("c3", "Iron", null).livingIn("Rome"),
                Customer.of("c4", "Iron", 2).livingIn("Oslo").tagged("a", "b", "c"),
                Customer.of("c5", "Lead", 1),
                new Product("p1", "Analytics", 9.5),
                new Product("p2", "Backup", 3),
                new Subscription("c1", "p1", 5, true),
                new Subscription("c2", "p1", 7, false),
                new Subscription("c3", "p2", 1, true),
                new Subscription("nobody", "p2", 2, true));
        session.commit();
        return session;
    }

    @Test
    void all_rows_make_one_group() {
        Session session = shop();

        List<Map<String, @Nullable Object>> result = session.entities(Customer.class)
                .aggregate(
                        count("n"),
                        countWhere("gold", field(Customer::tier).eq("Gold")),
                        sum("years", field(Customer::age)),
                        avg("mean", field(Customer::age)),
                        min("youngest", field(Customer::age)),
                        max("oldest", field(Customer::age)),
                        min("first", field(Customer::tier)),
                        max("last", field(Customer::tier)),
                        avgLen("tags", field(Customer::tags)));

        assertThat(result)
                .containsExactly(fields(
                        "n",
                        5L,
                        "gold",
                        2L,
                        "years",
                        73L,
                        "mean",
                        18.25,
                        "youngest",
                        1L,
                        "oldest",
                        40L,
                        "first",
                        "Gold",
                        "last",
                        "Lead",
                        "tags",
                        1.2));
    }

    @Test
    void over_no_rows_a_count_is_zero_and_everything_else_is_null() {
        Session session = shop();
        var none = session.entities(Customer.class).where(field(Customer::tier).eq("Tin"));

        assertThat(none.aggregate(
                        count("n"),
                        countWhere("w", field(Customer::tier).eq("Gold")),
                        sum("s", field(Customer::age)),
                        avg("a", field(Customer::age)),
                        min("i", field(Customer::age)),
                        max("x", field(Customer::age)),
                        avgLen("l", field(Customer::tags))))
                .containsExactly(fields("n", 0L, "w", 0L, "s", null, "a", null, "i", null, "x", null, "l", null));
        assertThat(none.groupBy(field(Customer::tier)).aggregate(count("n"))).isEmpty();
    }

    @Test
    void rows_are_grouped_by_a_field() {
        Session session = shop();

        assertThat(session.entities(Customer.class)
                        .groupBy(field(Customer::tier))
                        .aggregate(count("n"), sum("years", field(Customer::age)), max("max", field(Customer::age))))
                .containsExactly(
                        fields("$.tier", "Gold", "n", 2L, "years", 70L, "max", 40L),
                        fields("$.tier", "Iron", "n", 2L, "years", 2L, "max", 2L),
                        fields("$.tier", "Lead", "n", 1L, "years", 1L, "max", 1L));
    }

    @Test
    void rows_are_grouped_by_several_fields_and_what_is_missing_comes_last() {
        Session session = shop();

        assertThat(session.entities(Customer.class)
                        .groupBy(field(Customer::tier), field("$.address.city"))
                        .aggregate(count("n")))
                .containsExactly(
                        fields("$.tier", "Gold", "$.address.city", null, "n", 2L),
                        fields("$.tier", "Iron", "$.address.city", "Oslo", "n", 1L),
                        fields("$.tier", "Iron", "$.address.city", "Rome", "n", 1L),
                        fields("$.tier", "Lead", "$.address.city", null, "n", 1L));
    }

    @Test
    void values_of_different_types_are_different_groups_and_equal_numbers_are_one() {
        Session session = openThings();
        session.ensure(
                thing("a", "v", 1L),
                thing("b", "v", 1.0),
                thing("c", "v", true),
                thing("d", "v", "1"),
                thing("e", "v", null),
                thing("f"),
                thing("g", "v", List.of(1L)),
                thing("h", "v", List.of(1L)),
                thing("i", "v", false));
        session.commit();

        assertThat(session.entities("Thing").groupBy(V).aggregate(count("n")))
                .containsExactly(
                        fields("$.v", false, "n", 1L),
                        fields("$.v", true, "n", 1L),
                        fields("$.v", 1L, "n", 2L),
                        fields("$.v", "1", "n", 1L),
                        fields("$.v", List.of(1L), "n", 2L),
                        fields("$.v", null, "n", 2L));
    }

    @Test
    void integers_beyond_64_bits_are_ordered_grouped_and_compared_exactly() {
        BigInteger beyond = BigInteger.TWO.pow(63);
        BigInteger below = beyond.negate().subtract(BigInteger.ONE);
        BigInteger far = BigInteger.TWO.pow(70);
        Session session = openThings();
        session.ensure(
                thing("a", "v", far.add(BigInteger.ONE), "w", "high"),
                thing("b", "v", beyond.add(BigInteger.ONE), "w", "high"),
                thing("c", "v", beyond, "w", "high"),
                thing("d", "v", far, "w", "high"),
                thing("e", "v", below.subtract(BigInteger.ONE), "w", "low"),
                thing("f", "v", below, "w", "low"),
                thing("g", "v", Long.MIN_VALUE, "w", "low"),
                thing("h", "v", Long.MAX_VALUE, "w", "high"),
                thing("i", "v", 1L, "w", "small"),
                thing("j", "v", 1.5, "w", "small"),
                thing("k", "v", -0.5, "w", "small"),
                thing("l", "v", 1e20, "w", "high"),
                thing("m", "v", -1e20, "w", "lowest"),
                thing("n", "v", beyond, "w", "same"),
                thing("o", "v", 9.223372036854776e18, "w", "same"),
                thing("p", "v", "text", "w", "text"),
                thing("q", "v", below, "w", "text"),
                thing("r", "v", far.negate(), "w", "lowest"),
                thing("s", "v", BigInteger.TEN.pow(60), "w", "highest"));
        session.commit();
        var things = session.entities("Thing");

        assertThat(keys(things.orderBy(V.ascending())))
                .containsExactly(
                        "r", "m", "e", "f", "q", "g", "k", "i", "j", "h", "c", "n", "o", "b", "l", "d", "a", "s", "p");
        assertThat(keys(things.orderBy(V.descending())))
                .containsExactly(
                        "p", "s", "a", "d", "l", "b", "c", "n", "o", "h", "j", "i", "k", "g", "f", "q", "e", "m", "r");
        assertThat(things.groupBy(V).aggregate(count("n")))
                .extracting(group -> group.get("n"))
                .containsExactly(1L, 1L, 1L, 2L, 1L, 1L, 1L, 1L, 1L, 3L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(things.where(V.gt(beyond)).groupBy(V).aggregate(count("n")))
                .containsExactly(
                        fields("$.v", beyond.add(BigInteger.ONE), "n", 1L),
                        fields("$.v", 1e20, "n", 1L),
                        fields("$.v", far, "n", 1L),
                        fields("$.v", far.add(BigInteger.ONE), "n", 1L),
                        fields("$.v", BigInteger.TEN.pow(60), "n", 1L));
        var sides = things.where(field("$.w").ne("same")).groupBy(field("$.w"));
        assertThat(sides.aggregate(min("min", V), max("max", V)))
                .containsExactly(
                        fields("$.w", "high", "min", Long.MAX_VALUE, "max", far.add(BigInteger.ONE)),
                        fields("$.w", "highest", "min", BigInteger.TEN.pow(60), "max", BigInteger.TEN.pow(60)),
                        fields("$.w", "low", "min", below.subtract(BigInteger.ONE), "max", Long.MIN_VALUE),
                        fields("$.w", "lowest", "min", far.negate(), "max", -1e20),
                        fields("$.w", "small", "min", -0.5, "max", 1.5),
                        fields("$.w", "text", "min", below, "max", "text"));
        assertThat(sides.having("max", Filter.Op.GT, far).aggregate(max("max", V)))
                .extracting(group -> group.get("$.w"))
                .containsExactly("high", "highest");
        assertThat(sides.having("min", Filter.Op.LT, Long.MIN_VALUE).aggregate(min("min", V)))
                .extracting(group -> group.get("$.w"))
                .containsExactly("low", "lowest", "text");
    }

    @Test
    void only_numbers_are_added_and_only_lists_have_a_length() {
        Session session = openThings();
        session.ensure(
                thing("a", "v", 1L, "list", List.of(1L, 2L)),
                thing("b", "v", 2.5, "list", List.of()),
                thing("c", "v", true, "list", Map.of("a", 1L)),
                thing("d", "v", "7", "list", "[1,2,3]"),
                thing("e", "v", null, "list", null));
        session.commit();

        assertThat(session.entities("Thing")
                        .aggregate(
                                sum("sum", V),
                                avg("avg", V),
                                min("min", V),
                                max("max", V),
                                avgLen("len", field("$.list"))))
                .containsExactly(fields("sum", 3.5, "avg", 1.75, "min", 1L, "max", "7", "len", 1.0));
    }

    @Test
    void groups_are_chosen_by_what_was_computed_for_them() {
        Session session = shop();
        var byTier = session.entities(Customer.class).groupBy(field(Customer::tier));

        assertThat(byTier.having("n", Filter.Op.GT, 1).aggregate(count("n")))
                .extracting(group -> group.get("$.tier"))
                .containsExactly("Gold", "Iron");
        assertThat(byTier.having("n", Filter.Op.EQ, 2)
                        .having("years", Filter.Op.LT, 10.5)
                        .aggregate(count("n"), sum("years", field(Customer::age))))
                .extracting(group -> group.get("$.tier"))
                .containsExactly("Iron");
        assertThat(byTier.having("first", Filter.Op.GTE, "c3").aggregate(min("first", field(Customer::id))))
                .extracting(group -> group.get("$.tier"))
                .containsExactly("Iron", "Lead");
        assertThat(byTier.having("first", Filter.Op.NE, 3).aggregate(min("first", field(Customer::id))))
                .isEmpty();
        assertThat(byTier.having("n", Filter.Op.GT, 9).aggregate(count("n"))).isEmpty();
        assertFails(
                ErrorKind.INVALID_INPUT,
                "no aggregate called 'm'",
                () -> byTier.having("m", Filter.Op.GT, 1).aggregate(count("n")));
    }

    @Test
    void a_condition_also_applies_to_the_one_group_of_all() {
        Session session = shop();
        var all = session.entities(Customer.class);

        assertThat(all.having("n", Filter.Op.GT, 4).aggregate(count("n"))).containsExactly(fields("n", 5L));
        assertThat(all.having("n", Filter.Op.GT, 5).aggregate(count("n"))).isEmpty();
    }

    @Test
    void groups_can_be_cut() {
        Session session = shop();
        var byTier = session.entities(Customer.class).groupBy(field(Customer::tier));

        assertThat(byTier.limit(1).aggregate(count("n")))
                .extracting(group -> group.get("$.tier"))
                .containsExactly("Gold");
        assertThat(byTier.offset(1).limit(5).aggregate(count("n")))
                .extracting(group -> group.get("$.tier"))
                .containsExactly("Iron", "Lead");
    }

    @Test
    void filters_and_windows_say_over_which_rows() {
        Session session = shop();
        commit(session, Customer.of("c1", "Iron", 100));
        var customers = session.entities(Customer.class);

        assertThat(customers.where(field(Customer::tier).eq("Gold")).aggregate(sum("s", field(Customer::age))))
                .containsExactly(fields("s", 40L));
        assertThat(customers.asOf(1).aggregate(sum("s", field(Customer::age)))).containsExactly(fields("s", 73L));
        assertThat(customers.aggregate(sum("s", field(Customer::age)))).containsExactly(fields("s", 143L));
        assertThat(customers.withHistory().aggregate(count("n"))).containsExactly(fields("n", 6L));
        assertThat(customers.countWhere(field(Customer::age).gte(40))).isEqualTo(2);
    }

    @Test
    void the_entities_at_the_ends_can_be_grouped_and_added() {
        Session session = shop();
        var subscriptions = session.relations(Subscription.class);

        assertThat(subscriptions
                        .groupBy(right(Product::name))
                        .aggregate(
                                sum("seats", field(Subscription::seatCount)),
                                sum("years", left(Customer::age)),
                                countWhere("gold", left(Customer::tier).eq("Gold"))))
                .containsExactly(
                        fields("right.$.name", "Analytics", "seats", 12L, "years", 70L, "gold", 2L),
                        fields("right.$.name", "Backup", "seats", 3L, "years", null, "gold", 0L));
        assertThat(subscriptions.asOf(1).groupBy(left(Customer::tier)).aggregate(count("n")))
                .containsExactly(
                        fields("left.$.tier", "Gold", "n", 2L),
                        fields("left.$.tier", "Iron", "n", 1L),
                        fields("left.$.tier", null, "n", 1L));
    }

    @Test
    void what_an_entity_does_not_have_cannot_be_aggregated() {
        var customers = shop().entities(Customer.class);

        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> customers.aggregate(sum("s", field("left.$.age"))));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> customers.aggregate(countWhere("s", field("right.$.age").isNull())));
    }
}
