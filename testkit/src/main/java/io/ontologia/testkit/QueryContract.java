package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.key;
import static io.ontologia.core.Fields.left;
import static io.ontologia.core.Fields.right;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Entity;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.Key;
import io.ontologia.core.Query;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Shop.Address;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.MadeBy;
import io.ontologia.testkit.Shop.Maker;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What queries find of the latest state: everything that filters can say. */
public abstract class QueryContract extends OntologySuite {

    private Session shop() {
        Session session = open();
        session.ensure(
                Customer.of("c1", "Gold", 32).tagged("vip", "north").livingIn("Rome"),
                Customer.of("c2", "Silver", 40).tagged("south"),
                Customer.of("c3", "gold", null).livingIn("Oslo"),
                Customer.of("c4", "Gold", 7),
                new Product("p1", "Analytics", 9.5),
                new Product("p2", "Backup", 3),
                new Maker("m1", "IT"),
                new Subscription("c1", "p1", 5, true),
                new Subscription("c1", "p2", 1, false),
                new Subscription("c2", "p1", 50, true),
                new Subscription("nobody", "p2", 2, true),
                new MadeBy("p1", "m1"));
        session.commit();
        return session;
    }

    private static List<String> customers(Session session, Filter filter) {
        return keys(session.entities(Customer.class).where(filter));
    }

    private static List<String> subscriptions(Session session, Filter filter) {
        return keys(session.relations(Subscription.class).where(filter));
    }

    @Test
    void every_result_has_its_identity_and_commit() {
        Session session = shop();
        commit(session, Customer.of("c2", "Gold", 1));

        List<Result<Customer>> gold = session.entities(Customer.class)
                .where(field(Customer::tier).eq("Gold"))
                .results();

        assertThat(gold)
                .extracting(Result::identity)
                .containsExactly(new Identity.OfEntity("c1"), new Identity.OfEntity("c2"), new Identity.OfEntity("c4"));
        assertThat(gold).extracting(Result::commitId).containsExactly(1L, 2L, 1L);
        assertThat(session.relations(MadeBy.class).results())
                .containsExactly(new Result<>(new MadeBy("p1", "m1"), new Identity.OfRelation("p1", "m1", ""), 1));
    }

    @Test
    void the_latest_version_of_each_row_is_found_once() {
        Session session = shop();
        commit(session, Customer.of("c4", "Iron", 8));
        commit(session, Customer.of("c4", "Lead", 9), new Subscription("c1", "p1", 6, true));

        assertThat(keys(session.entities(Customer.class))).containsExactly("c1", "c2", "c3", "c4");
        assertThat(customers(session, field(Customer::tier).eq("Iron"))).isEmpty();
        assertThat(customers(session, field(Customer::tier).eq("Lead"))).containsExactly("c4");
        assertThat(session.relations(Subscription.class).count()).isEqualTo(4);
    }

    @Test
    void a_query_without_results_is_empty() {
        Session session = shop();
        var none = session.entities(Customer.class).where(field(Customer::tier).eq("Bronze"));

        assertThat(none.list()).isEmpty();
        assertThat(none.first()).isEmpty();
        assertThat(none.count()).isZero();
        assertThat(none.results()).isEmpty();
    }

    @Test
    void fields_are_compared() {
        Session session = shop();

        assertThat(customers(session, field(Customer::tier).ne("Gold"))).containsExactly("c2", "c3");
        assertThat(customers(session, field(Customer::age).gt(32))).containsExactly("c2");
        assertThat(customers(session, field(Customer::age).gte(32))).containsExactly("c1", "c2");
        assertThat(customers(session, field(Customer::age).lt(32))).containsExactly("c4");
        assertThat(customers(session, field(Customer::age).lte(32))).containsExactly("c1", "c4");
        assertThat(customers(session, field("$.age").eq(32.0))).containsExactly("c1");
        assertThat(customers(session, field("$.age").gt(31.5).and(field("$.age").lt(32.5))))
                .containsExactly("c1");
        assertThat(subscriptions(session, field(Subscription::active).isTrue()))
                .containsExactly("c1 -> p1", "c2 -> p1", "nobody -> p2");
        assertThat(subscriptions(session, field(Subscription::active).isFalse()))
                .containsExactly("c1 -> p2");
        assertThat(keys(session.entities(Product.class)
                        .where(field(Product::price).eq(3.0))))
                .containsExactly("p2");
    }

    @Test
    void fields_inside_fields_are_compared() {
        Session session = shop();

        assertThat(customers(session, field("$.address.city").eq("Rome"))).containsExactly("c1");
        assertThat(customers(session, field(Customer::address).at(Address::city).eq("Oslo")))
                .containsExactly("c3");
        assertThat(customers(session, field("$.address.zip").isNull())).containsExactly("c1", "c2", "c3", "c4");
        assertThat(customers(session, field("$.address").isNotNull())).containsExactly("c1", "c3");
    }

    @Test
    void null_and_missing_are_only_found_by_asking_for_them() {
        Session session = shop();
        Filter is = field(Customer::age).eq(32);

        assertThat(customers(session, field(Customer::age).isNull())).containsExactly("c3");
        assertThat(customers(session, field(Customer::age).isNotNull())).containsExactly("c1", "c2", "c4");
        assertThat(customers(session, is.not())).containsExactly("c2", "c4");
        assertThat(customers(session, field(Customer::age).ne(32))).containsExactly("c2", "c4");
        assertThat(customers(session, is.or(is.not()))).containsExactly("c1", "c2", "c4");
        assertThat(customers(session, field(Customer::age).in(List.of(1, 2)).not()))
                .containsExactly("c1", "c2", "c4");
    }

    @Test
    void a_value_is_one_of_several() {
        Session session = shop();

        assertThat(customers(session, field(Customer::tier).in(List.of("gold", "Silver", "Iron"))))
                .containsExactly("c2", "c3");
        assertThat(customers(session, field("$.age").in(List.of(40, 7.5)))).containsExactly("c2");
        assertThat(customers(session, field(Customer::tier).in(List.of()))).isEmpty();
        assertThat(customers(session, field(Customer::age).in(List.of()).not())).hasSize(4);
    }

    @Test
    void texts_are_searched_by_case_and_without_wildcards() {
        Session session = openThings();
        session.ensure(
                thing("1", "v", "Gold"),
                thing("2", "v", "gold"),
                thing("3", "v", "50% off"),
                thing("4", "v", "50 off"),
                thing("5", "v", "a_c"),
                thing("6", "v", "abc"),
                thing("7", "v", 50L),
                thing("8", "v", null),
                thing("9", "v", ""),
                thing("a", "v", "😀x"),
                thing("b", "v", List.of("Gold")),
                thing("c", "v", true));
        session.commit();
        FieldExpression<Object> v = field("$.v");
        var things = session.entities("Thing");

        assertThat(keys(things.where(v.startsWith("Go")))).containsExactly("1");
        assertThat(keys(things.where(v.startsWith("50%")))).containsExactly("3");
        assertThat(keys(things.where(v.startsWith("%")))).isEmpty();
        assertThat(keys(things.where(v.endsWith("old")))).containsExactly("1", "2");
        assertThat(keys(things.where(v.endsWith("x")))).containsExactly("a");
        assertThat(keys(things.where(v.endsWith("OLD")))).isEmpty();
        assertThat(keys(things.where(v.contains("_")))).containsExactly("5");
        assertThat(keys(things.where(v.contains("%")))).containsExactly("3");
        assertThat(keys(things.where(v.contains("0")))).containsExactly("3", "4");
        assertThat(keys(things.where(v.contains("😀")))).containsExactly("a");
        assertThat(keys(things.where(v.contains("ue")))).isEmpty();
        for (Filter all : List.of(v.startsWith(""), v.endsWith(""), v.contains(""))) {
            assertThat(keys(things.where(all))).containsExactly("1", "2", "3", "4", "5", "6", "9", "a");
        }
        assertThat(keys(things.where(v.contains("o").not()))).containsExactly("5", "6", "7", "9", "a", "b", "c");
    }

    @Test
    void values_of_different_types_are_never_equal_and_never_ordered() {
        Session session = openThings();
        session.ensure(
                thing("bool", "v", true),
                thing("int", "v", 1L),
                thing("float", "v", 1.0),
                thing("text", "v", "1"),
                thing("list", "v", List.of(1L)),
                thing("map", "v", Map.of("a", 1L)));
        session.commit();
        FieldExpression<Object> v = field("$.v");
        var things = session.entities("Thing");

        assertThat(keys(things.where(v.eq(1)))).containsExactly("float", "int");
        assertThat(keys(things.where(v.eq(1.0)))).containsExactly("float", "int");
        assertThat(keys(things.where(v.eq("1")))).containsExactly("text");
        assertThat(keys(things.where(v.eq(true)))).containsExactly("bool");
        assertThat(keys(things.where(v.eq("[1]")))).isEmpty();
        assertThat(keys(things.where(v.gte(0)))).containsExactly("float", "int");
        assertThat(keys(things.where(v.lt("z")))).containsExactly("text");
        assertThat(keys(things.where(v.gt(0).not()))).containsExactly("bool", "list", "map", "text");
        assertThat(keys(things.where(v.ne(1)))).containsExactly("bool", "list", "map", "text");
    }

    @Test
    void numbers_are_compared_exactly() {
        Session session = openThings();
        session.ensure(thing("even", "v", 9007199254740992L), thing("odd", "v", 9007199254740993L));
        session.ensure(thing("huge", "v", new java.math.BigInteger("9223372036854775809")));
        session.commit();
        FieldExpression<Object> v = field("$.v");
        var things = session.entities("Thing");

        assertThat(keys(things.where(v.eq(9007199254740993L)))).containsExactly("odd");
        assertThat(keys(things.where(v.eq(9007199254740992.0)))).containsExactly("even");
        assertThat(keys(things.where(v.gt(9007199254740992.0)))).containsExactly("huge", "odd");
        assertThat(keys(things.where(v.gt(new java.math.BigInteger("9223372036854775808")))))
                .containsExactly("huge");
        assertThat(keys(things.where(v.eq(new java.math.BigInteger("9223372036854775808")))))
                .isEmpty();
    }

    @Test
    void some_item_of_a_list_passes() {
        Session session = openThings();
        session.ensure(
                thing("clicks", "list", List.of(Map.of("kind", "click", "n", 1L), Map.of("kind", "view"))),
                thing("views", "list", List.of(Map.of("kind", "view", "at", Map.of("h", 3L)))),
                thing("texts", "list", List.of("click", "view")),
                thing("empty", "list", List.of()),
                thing("null", "list", null),
                thing("text", "list", "click"),
                thing("object", "list", Map.of("kind", "click")),
                thing("nulls", "list", java.util.Arrays.asList(null, 1L)));
        session.commit();
        FieldExpression<Object> list = field("$.list");
        var things = session.entities("Thing");

        assertThat(keys(things.where(list.anyPath("kind").eq("click")))).containsExactly("clicks");
        assertThat(keys(things.where(list.anyPath("kind").in(List.of("view", "x")))))
                .containsExactly("clicks", "views");
        assertThat(keys(things.where(list.anyPath("at.h").gte(3)))).containsExactly("views");
        assertThat(keys(things.where(list.anyPath("kind").startsWith("cl")))).containsExactly("clicks");
        assertThat(keys(things.where(list.anyPath("n").isNull()))).containsExactly("clicks", "nulls", "texts", "views");
        assertThat(keys(things.where(list.any().eq("click")))).containsExactly("texts");
        assertThat(keys(things.where(list.any().ne("click")))).containsExactly("clicks", "nulls", "texts", "views");
        assertThat(keys(things.where(list.any().isNull()))).containsExactly("nulls");
        assertThat(keys(things.where(list.any().gt(0)))).containsExactly("nulls");
        assertThat(keys(things.where(list.anyPath("kind").eq("click").not())))
                .containsExactly("empty", "null", "nulls", "object", "text", "texts", "views");
    }

    @Test
    void filters_are_joined() {
        Session session = shop();
        Filter gold = field(Customer::tier).eq("Gold");
        Filter young = field(Customer::age).lt(30);

        assertThat(customers(session, gold.and(young))).containsExactly("c4");
        assertThat(customers(session, gold.or(field(Customer::age).isNull()))).containsExactly("c1", "c3", "c4");
        assertThat(customers(session, gold.and(young).not())).containsExactly("c1", "c2", "c3");
        assertThat(keys(session.entities(Customer.class).where(gold).where(young)))
                .containsExactly("c4");
        assertThat(customers(session, new Filter.And(List.of()))).hasSize(4);
        assertThat(customers(session, new Filter.Or(List.of()))).isEmpty();
    }

    @Test
    void relations_are_found_by_the_entities_at_their_ends() {
        Session session = shop();

        assertThat(subscriptions(session, left(Customer::tier).eq("Gold"))).containsExactly("c1 -> p1", "c1 -> p2");
        assertThat(subscriptions(session, right(Product::price).gt(5.0))).containsExactly("c1 -> p1", "c2 -> p1");
        assertThat(subscriptions(session, field("left.$.address.city").eq("Rome")))
                .containsExactly("c1 -> p1", "c1 -> p2");
        assertThat(subscriptions(
                        session,
                        left(Customer::tier)
                                .eq("Gold")
                                .and(right(Product::name).eq("Backup"))
                                .and(field(Subscription::seatCount).eq(1))))
                .containsExactly("c1 -> p2");
        assertThat(subscriptions(
                        session,
                        left(Customer::tier).eq("Gold").or(right(Product::name).eq("Backup"))))
                .containsExactly("c1 -> p1", "c1 -> p2", "nobody -> p2");
        commit(session, Customer.of("c1", "Iron", 1));
        assertThat(subscriptions(session, left(Customer::tier).eq("Gold"))).isEmpty();
    }

    @Test
    void an_end_that_is_not_stored_has_no_values() {
        Session session = shop();

        assertThat(subscriptions(session, left(Customer::tier).ne("Gold"))).containsExactly("c2 -> p1");
        assertThat(subscriptions(session, left(Customer::id).isNull())).isEmpty();
        assertThat(subscriptions(session, left(Customer::id).isNotNull())).hasSize(3);
        assertThat(session.relations(Subscription.class)
                        .where(left(Customer::id).isNull())
                        .count())
                .isZero();
    }

    @Test
    void filters_that_cannot_be_true_of_a_type_are_refused_when_they_are_given() {
        Session session = shop();
        var customers = session.entities(Customer.class);

        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> customers.where(left(Customer::tier).eq("x")));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> customers.where(
                        field("$.tier").eq("x").or(field("right.$.a").isNull().not())));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> customers.orderBy(field("left.$.a").ascending()));
        assertFails(ErrorKind.INVALID_INPUT, "no left and right end", () -> customers.groupBy(field("left.$.a")));
    }

    @Test
    void a_name_can_mean_an_entity_type_and_a_relation_type() {
        Session session = openThings();
        commit(session, thing("a", "v", 1L), link("a", "b", "v", 2L));

        assertThat(keys(session.entities("Thing"))).containsExactly("a");
        assertThat(keys(session.relations("Link"))).containsExactly("a -> b");
    }

    /** A record that refuses values that its type allows. */
    record Stock(@Key String id, int pieces) implements Entity {
        Stock {
            if (pieces < 0) {
                throw new IllegalArgumentException("less than nothing");
            }
        }
    }

    @Test
    void a_row_that_its_record_refuses_is_named_and_the_others_can_be_read() {
        Session session = open(Stock.class);
        commit(
                session,
                new Stock("fine", 1),
                new Row.OfEntity("Stock", "odd", Map.of("pieces", -1L)),
                new Stock("well", 2));
        Query<Stock> all = session.entities(Stock.class);

        assertThatThrownBy(all::list)
                .isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.details())
                            .containsEntry("type", "entity Stock")
                            .containsEntry("identity", "odd");
                    assertThat(e.remedy()).contains("where(key().ne(\"odd\"))").contains("entities(\"Stock\")");
                })
                .hasMessageContaining("cannot read entity Stock 'odd' of commit 1")
                .hasMessageContaining("less than nothing");
        assertThatThrownBy(() -> session.find(Stock.class, "odd")).hasMessageContaining("entity Stock 'odd'");
        assertThat(all.where(key().ne("odd")).list()).containsExactly(new Stock("fine", 1), new Stock("well", 2));
        assertThat(session.entities("Stock").list()).hasSize(3);
    }
}
