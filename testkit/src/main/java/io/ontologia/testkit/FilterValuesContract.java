package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Default;
import io.ontologia.core.Entity;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.Filter;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Shop.Address;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Maker;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which values filters take, how many of them, and which they refuse. */
public abstract class FilterValuesContract extends OntologySuite {
    private static final int MANY = 100_000;

    private static final Instant NOON = Instant.parse("2026-02-10T12:00:00Z");
    private static final UUID LOW = UUID.fromString("00000000-0000-4000-8000-000000000001");
    private static final UUID HIGH = UUID.fromString("f0000000-0000-4000-8000-000000000001");

    /** A happening with fields of every type that is stored as a text. */
    record Happening(
            @Key String id,
            @Indexed Instant at,
            LocalDate day,
            UUID token,
            @Nullable Instant until,
            @Default("[]") List<Instant> seen)
            implements Entity {}

    private Session things() {
        Session session = openThings();
        commit(
                session,
                thing("text", "v", "w7", "list", List.of("w7")),
                thing("one", "v", 1L, "list", List.of(1L)),
                thing("real", "v", 1.0, "list", List.of(1.5)),
                thing("half", "v", 0.5),
                thing(
                        "big",
                        "v",
                        new BigInteger("9223372036854775809"),
                        "list",
                        List.of(new BigInteger("9223372036854775809"))),
                thing("true", "v", true, "list", List.of(true)),
                thing("null", "v", null));
        return session;
    }

    private static List<String> found(Session session, Filter filter) {
        return keys(session.entities("Thing").where(filter));
    }

    @Test
    void a_list_may_hold_a_hundred_thousand_values() {
        Session session = things();
        FieldExpression<Object> v = field("$.v");
        List<Object> numbers =
                LongStream.range(0, MANY).boxed().map(Object.class::cast).toList();
        List<Object> texts =
                numbers.stream().map(number -> (Object) ("w" + number)).toList();
        List<Object> all = Stream.of(numbers, texts, List.<Object>of(true, 0.5, new BigInteger("9223372036854775809")))
                .flatMap(List::stream)
                .toList();

        assertThat(found(session, v.in(numbers))).containsExactly("one", "real");
        assertThat(found(session, v.in(texts))).containsExactly("text");
        assertThat(found(session, v.in(all))).containsExactly("big", "half", "one", "real", "text", "true");
        assertThat(found(session, v.in(all).not())).isEmpty();
        assertThat(found(session, v.in(texts).not())).containsExactly("big", "half", "one", "real", "true");
        assertThat(session.entities("Thing").asOf(1).where(v.in(texts)).count()).isEqualTo(1);
        assertThat(session.entities("Thing")
                        .aggregate(Aggregate.countWhere("n", v.in(all)))
                        .get(0))
                .containsEntry("n", 6L);
        assertThat(found(session, field("$.list").any().in(all))).containsExactly("big", "one", "text", "true");
    }

    @Test
    void a_list_for_a_field_of_one_type_may_hold_a_hundred_thousand_values() {
        Session session = open();
        commit(session, Customer.of("c1", "t5", 5), Customer.of("c2", "t" + MANY, MANY), Customer.of("c3", "x", null));
        List<String> tiers = IntStream.range(0, MANY).mapToObj(i -> "t" + i).toList();
        List<Integer> ages = IntStream.range(0, MANY).boxed().toList();
        Query<Customer> customers = session.entities(Customer.class);

        assertThat(keys(customers.where(field(Customer::tier).in(tiers)))).containsExactly("c1");
        assertThat(keys(customers.where(field(Customer::age).in(ages)))).containsExactly("c1");
        assertThat(keys(customers.where(field(Customer::age).in(ages).not()))).containsExactly("c2");
    }

    @Test
    void long_chains_of_and_and_or_work() {
        Session session = things();
        FieldExpression<Object> v = field("$.v");
        Filter any = v.eq(-1);
        Filter all = v.isNotNull();
        Filter fromTheRight = v.eq(-1);
        for (int i = 0; i < 499; i++) {
            any = any.or(v.eq((long) i));
            all = all.and(v.ne("x" + i));
            fromTheRight = v.eq("w" + i).or(fromTheRight);
        }

        assertThat(found(session, any)).containsExactly("one", "real");
        assertThat(found(session, all)).containsExactly("big", "half", "one", "real", "text", "true");
        assertThat(found(session, fromTheRight)).containsExactly("text");
        assertThat(found(session, any.not())).containsExactly("big", "half", "text", "true");
    }

    @Test
    void the_largest_filters_work_and_larger_ones_are_refused() {
        Session session = things();
        FieldExpression<Object> v = field("$.v");
        List<Filter> tests = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            tests.add(i % 2 == 0 ? v.lt((long) -i).not() : v.endsWith("w" + i));
        }

        assertThat(found(session, new Filter.Or(tests))).containsExactly("big", "half", "one", "real", "text", "true");
        assertThat(found(session, new Filter.And(tests))).isEmpty();
        assertTooLarge("more than 500 tests", () -> new Filter.Or(tests).or(v.isNull()));
        assertTooLarge("more than 500 tests", () -> chain(filter -> filter.or(v.isNull())));
        assertTooLarge("more than 500 tests", () -> chain(filter -> v.isNull().and(filter)));
        Query<Row>[] query = query(session);
        assertTooLarge("more than 500 tests", () -> {
            for (int i = 0; i < MANY; i++) {
                query[0] = query[0].where(v.isNull());
            }
        });
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of one query
    private static Query<Row>[] query(Session session) {
        return new Query[] {session.entities("Thing")};
    }

    @Test
    void the_deepest_filters_work_and_deeper_ones_are_refused() {
        Session session = things();
        FieldExpression<Object> v = field("$.v");
        Filter deep = v.eq("w7");
        for (int level = 0; level < 100; level++) {
            List<Filter> parts = new ArrayList<>(List.of(deep));
            for (int i = 0; i < 4; i++) {
                parts.add(level % 2 == 0 ? v.eq("no" + i) : v.isNotNull());
            }
            deep = level % 2 == 0 ? new Filter.Or(parts) : new Filter.And(parts);
        }
        Filter deepest = deep;

        assertThat(found(session, deepest)).containsExactly("text");
        assertTooLarge("more than 100 levels", deepest::not);
        assertTooLarge("more than 100 levels", () -> chain(filter -> new Filter.Not(filter)));
        assertThat(found(session, chain(Filter::not))).containsExactly("null");
    }

    private static Filter chain(Function<Filter, Filter> link) {
        Filter chained = field("$.v").isNull();
        for (int i = 0; i < MANY; i++) {
            chained = link.apply(chained);
        }
        return chained;
    }

    private static void assertTooLarge(String cause, ThrowingCallable making) {
        assertInvalid(cause, making);
    }

    private static void assertInvalid(String cause, ThrowingCallable making) {
        assertThatThrownBy(making)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining(cause);
    }

    @Test
    void moments_dates_and_uuids_compare_as_values() {
        Session session = open(Happening.class);
        Instant later = NOON.plusNanos(1);
        commit(
                session,
                new Happening("a", NOON, LocalDate.of(999, 12, 31), LOW, null, List.of(NOON)),
                new Happening("b", later, LocalDate.of(2026, 2, 10), HIGH, later, List.of(later)),
                new Happening("c", NOON.plusSeconds(1), LocalDate.of(9999, 1, 1), LOW, NOON, List.of()));
        Query<Happening> all = session.entities(Happening.class);
        FieldExpression<Instant> at = field(Happening::at);

        assertThat(keys(all.where(at.eq(NOON)))).containsExactly("a");
        assertThat(keys(all.where(at.eq(later)))).containsExactly("b");
        assertThat(keys(all.where(at.gt(NOON)))).containsExactly("b", "c");
        assertThat(keys(all.where(at.lte(later)))).containsExactly("a", "b");
        assertThat(keys(all.where(at.in(List.of(NOON, later))))).containsExactly("a", "b");
        assertThat(keys(all.where(field("$.at").ne(OffsetDateTime.ofInstant(NOON, ZoneOffset.ofHours(5))))))
                .containsExactly("b", "c");
        assertThat(keys(all.where(field(Happening::until).gte(later)))).containsExactly("b");
        assertThat(keys(all.where(field(Happening::seen).any().eq(later)))).containsExactly("b");
        assertThat(keys(all.where(field(Happening::day).lt(LocalDate.of(2026, 2, 10)))))
                .containsExactly("a");
        assertThat(keys(all.where(field(Happening::day).gte(LocalDate.of(2026, 2, 10)))))
                .containsExactly("b", "c");
        assertThat(keys(all.where(field(Happening::token).eq(HIGH)))).containsExactly("b");
        assertThat(keys(all.where(field(Happening::token).lt(HIGH)))).containsExactly("a", "c");
        assertThat(keys(all.orderBy(at.descending()))).containsExactly("c", "b", "a");
        assertThat(all.where(at.eq(later)).first().orElseThrow().at()).isEqualTo(later);
    }

    @Test
    void a_date_whose_text_would_not_sort_is_refused() {
        Session session = open(Happening.class);

        assertInvalid(
                "the year must be from 0 to 9999",
                () -> session.ensure(new Happening("a", NOON, LocalDate.of(10_000, 1, 1), LOW, null, List.of())));
        assertInvalid(
                "the year must be from 0 to 9999", () -> field(Happening::day).lt(LocalDate.of(-1, 1, 1)));
        session.discard();
    }

    @Test
    void a_path_that_the_type_lacks_is_refused() {
        Session session = open();
        Query<Customer> customers = session.entities(Customer.class);

        assertInvalid(
                "entity Customer has no field 'ag'",
                () -> customers.where(field("$.ag").eq(1)));
        assertInvalid(
                "it has address, age, id, name, tags, tier",
                () -> customers.where(field("$.ag").isNull()));
        assertInvalid(
                "Address has no field 'town'",
                () -> customers.where(field("$.address.town").eq("Rome")));
        assertInvalid(
                "nothing called 'x' inside a text",
                () -> customers.where(field("$.name.x").isNull()));
        assertInvalid("has no field 'ag'", () -> customers.orderBy(field("$.ag").ascending()));
        assertInvalid("has no field 'ag'", () -> customers.groupBy(field("$.ag")));
        assertInvalid("has no field 'ag'", () -> customers.aggregate(Aggregate.sum("s", field("$.ag"))));
        assertInvalid(
                "has no field 'ag'",
                () -> customers.aggregate(
                        Aggregate.countWhere("s", field("$.ag").eq(1))));
        assertInvalid(
                "entity Product has no field 'tier'",
                () -> session.relations(Subscription.class)
                        .where(field("right.$.tier").eq("Gold")));
        assertInvalid(
                "has no field 'ag'",
                () -> session.traverse(Customer.class).where(field("$.ag").eq(1)));
        assertInvalid(
                "an entity has no left and right end",
                () -> customers.where(field("left.$.tier").isNull()));
    }

    @Test
    void an_accessor_of_another_type_is_refused() {
        Session session = open();
        Query<Customer> customers = session.entities(Customer.class);

        assertInvalid(
                "'$.name' is a field of Product and not of Customer",
                () -> customers.where(field(Product::name).eq("x")));
        assertInvalid(
                "a field of Address", () -> customers.where(field(Address::city).eq("x")));
        assertInvalid(
                "a field of Product",
                () -> customers.orderBy(field(Product::name).ascending()));
        assertInvalid("a field of Product", () -> customers.groupBy(field(Product::name)));
        assertInvalid("a field of Product", () -> customers.aggregate(Aggregate.min("m", field(Product::name))));
        assertInvalid(
                "a field of Maker and not of Customer",
                () -> session.relations(Subscription.class)
                        .where(left(Maker::name).eq("x")));
        customers.where(field(Customer::address).at(Address::city).eq("Rome"));
    }

    @Test
    void a_value_of_another_type_is_refused() {
        Session session = open();
        Query<Customer> customers = session.entities(Customer.class);

        assertInvalid(
                "'$.age' is an integer, and the filter compares it with the text '32'",
                () -> customers.where(field("$.age").eq("32")));
        assertInvalid(
                "a number, without quotes", () -> customers.where(field("$.age").in(List.of(1, "2"))));
        assertInvalid(
                "'$.tier' is a text", () -> customers.where(field("$.tier").gt(3)));
        assertInvalid(
                "'$.tier' is a text", () -> customers.where(field("$.tier").isTrue()));
        assertInvalid(
                "'$.age' is an integer", () -> customers.where(field("$.age").startsWith("3")));
        assertInvalid(
                "'$.address' is an object",
                () -> customers.where(field("$.address").eq("Rome")));
        assertInvalid("with any", () -> customers.where(field("$.tags").eq("vip")));
        assertInvalid(
                "'$.tags[]' is a text",
                () -> customers.where(field("$.tags").any().eq(1)));
        assertInvalid("and no list", () -> customers.where(field("$.tier").any().eq("Gold")));
        assertInvalid(
                "'left.$.age' is an integer",
                () -> session.relations(Subscription.class)
                        .where(field("left.$.age").eq("32")));
        assertInvalid(
                "'$.active' is true or false",
                () -> session.relations(Subscription.class)
                        .where(field("$.active").eq(1)));
        assertInvalid(
                "'$.age' is an integer",
                () -> customers.countWhere(field("$.age").eq("32")));
        customers.where(field("$.age").eq(32.5));
        session.entities(Product.class).where(field("$.price").eq(3));
    }
}
