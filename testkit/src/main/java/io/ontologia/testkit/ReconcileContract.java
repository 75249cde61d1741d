package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.MadeBy;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Visit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What counts as a change: values do, and how they are written does not. */
public abstract class ReconcileContract extends OntologySuite {

    @Test
    void ensuring_what_is_already_so_writes_nothing() {
        Session session = open();
        List<Object> all = List.of(
                Customer.of("c1", "Gold", 32).tagged("a", "b").livingIn("Rome"),
                new Product("p1", "Analytics", 9.5),
                new Visit("c1", "m1", "monday", 5),
                new MadeBy("p1", "m1"));
        session.ensureAll(all);
        session.commit();

        Session again = open();
        again.ensureAll(all);

        assertThat(again.preview()).isEmpty();
        assertThat(again.commit(Map.of("try", 2L))).isEqualTo(new CommitResult.NothingToDo(1));
        assertThat(again.log().since(0)).hasSize(1);
        assertThat(again.entities(Customer.class).withHistory().count()).isEqualTo(1);
    }

    @Test
    void only_the_rows_that_differ_are_written() {
        Session session = open();
        List<Customer> before = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            before.add(Customer.of("c" + i, "Gold", i));
        }
        session.ensureAll(before);
        session.commit();

        for (int i = 0; i < 200; i++) {
            session.ensure(i % 10 == 0 ? Customer.of("c" + i, "Iron", i) : before.get(i));
        }

        assertThat(session.preview()).hasSize(20);
        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(2, clock.now(), 0, 20));
        assertThat(session.entities(Customer.class).historySince(1).list())
                .hasSize(20)
                .allMatch(customer -> customer.tier().equals("Iron"));
    }

    @Test
    void a_default_that_is_left_out_is_the_same_as_one_that_is_given() {
        Session session = open();
        commit(session, new Row.OfEntity("Customer", "c1", fields("name", "n", "tier", "t", "age", null)));

        session.ensure(new Customer("c1", "n", "t", null, List.of(), null));

        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
    }

    @Test
    void an_integer_in_a_field_of_floats_is_a_float() {
        Session session = open();
        commit(session, new Row.OfEntity("Product", "p1", Map.of("name", "n", "price", 3L)));

        session.ensure(new Product("p1", "n", 3.0));

        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
        assertThat(session.find("Product", "p1").map(row -> row.fields().get("price")))
                .contains(3.0);
    }

    @Test
    void the_order_of_keys_is_no_difference_and_the_order_of_items_is_one() {
        Session session = openThings();
        Map<String, @Nullable Object> forth = new LinkedHashMap<>();
        forth.put("a", 1L);
        forth.put("b", List.of(1L, 2L));
        Map<String, @Nullable Object> back = new LinkedHashMap<>();
        back.put("b", List.of(1L, 2L));
        back.put("a", 1L);
        commit(session, thing("t", "v", forth));

        session.ensure(thing("t", "v", back));
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));

        session.ensure(thing("t", "v", Map.of("a", 1L, "b", List.of(2L, 1L))));
        assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
    }

    @Test
    void values_that_engines_confuse_are_different() {
        Session session = openThings();
        List<@Nullable Object> values = new ArrayList<>(List.of(
                1L,
                1.0,
                true,
                "1",
                "true",
                0L,
                false,
                "",
                " ",
                "null",
                List.of(),
                Map.of(),
                "[]",
                "a",
                "A",
                "é",
                "e\u0301",
                9007199254740992L,
                9007199254740993L,
                9007199254740992.0,
                new BigInteger("9223372036854775808"),
                new BigInteger("9223372036854775809"),
                0.1,
                0.30000000000000004,
                0.3,
                -0.0,
                0.0));
        values.add(null);
        long commits = 0;
        for (Object value : values) {
            assertThat(commit(session, thing("t", "v", value))).as("%s", value).isEqualTo(++commits);
        }

        List<@Nullable Object> history = new ArrayList<>();
        session.entities("Thing")
                .withHistory()
                .list()
                .forEach(row -> history.add(row.fields().get("v")));

        assertThat(history).isEqualTo(values);
    }

    @Test
    void what_is_stored_comes_back_exactly() {
        Session session = openThings();
        Map<String, @Nullable Object> deep = new HashMap<>();
        deep.put("text", "quotes \" ' \\ / tab \t newline \n umlaut ü emoji 😀 \u2028 \u007f \uFFFD");
        deep.put(
                "numbers",
                List.of(
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        1e300,
                        Double.MIN_VALUE,
                        BigInteger.TEN.pow(60).negate()));
        deep.put("none", null);
        deep.put("key with . and $ and \"", Map.of("", List.of(Map.of())));
        deep.put("long", "x".repeat(100_000));
        commit(session, thing("t", "nested", deep));

        assertThat(session.find("Thing", "t").map(row -> row.fields().get("nested")))
                .contains(deep);
    }

    @Test
    void keys_are_told_apart_by_every_character_and_sorted_by_code_point() {
        List<String> keys = List.of(
                "%", "'", "A", "B", "_", "a", "a\tb", "a b", "aa", "b", "c\\d", "e\u0301", "é", "\uFFFD", "😀", "😁");
        Session session = openThings();
        keys.forEach(key -> session.ensure(thing(key, "v", key)));
        session.ensure(thing("x".repeat(5000), "v", 1L));
        session.commit();

        List<String> found = keys(session.entities("Thing"));

        assertThat(found).hasSize(keys.size() + 1).containsAll(keys);
        assertThat(found).filteredOn(key -> key.length() < 5000).isEqualTo(keys);
        for (String key : keys) {
            assertThat(session.find("Thing", key))
                    .map(row -> row.fields().get("v"))
                    .contains(key);
        }
    }

    @Test
    void the_ends_of_a_relation_need_not_exist() {
        Session session = open();

        commit(session, new MadeBy("nobody", "nothing"));

        assertThat(session.relations(MadeBy.class).list()).containsExactly(new MadeBy("nobody", "nothing"));
    }

    @Test
    void a_large_commit_is_one_commit() {
        Session session = openThings();
        for (int i = 0; i < 10_000; i++) {
            session.ensure(thing("t" + i, "v", i));
        }

        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(1, clock.now(), 10_000, 0));
        assertThat(session.entities("Thing").count()).isEqualTo(10_000);
        assertThat(session.head()).isEqualTo(1);
    }
}
