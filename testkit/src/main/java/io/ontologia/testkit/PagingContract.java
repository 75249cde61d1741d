package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.FieldExpression;
import io.ontologia.core.Identity;
import io.ontologia.core.Query;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Orders that are total, and pages that are stable. */
public abstract class PagingContract extends OntologySuite {
    private static final FieldExpression<Object> V = field("$.v");
    private static final FieldExpression<Object> W = field("$.w");

    private Session mixed() {
        Session session = openThings();
        session.ensure(
                thing("a", "v", "text"),
                thing("b", "v", 2L),
                thing("c", "v", true),
                thing("d", "v", null),
                thing("e", "v", 1.5),
                thing("f", "v", "Text"),
                thing("g", "v", false),
                thing("h", "v", List.of(2L)),
                thing("i"),
                thing("j", "v", Map.of("k", 1L)),
                thing("k", "v", 2.0),
                thing("l", "v", "é"),
                thing("m", "v", -1L),
                thing("n", "v", List.of(1L)));
        session.commit();
        return session;
    }

    @Test
    void without_an_order_rows_come_by_identity() {
        Session session = openThings();
        session.ensure(link("b", "a"), link("a", "b"), link("a", "a"), thing("b"), thing("a"), thing("B"));
        session.commit();

        assertThat(keys(session.entities("Thing"))).containsExactly("B", "a", "b");
        assertThat(keys(session.relations("Link"))).containsExactly("a -> a", "a -> b", "b -> a");
    }

    @Test
    void an_order_puts_types_apart_and_nulls_last() {
        var things = mixed().entities("Thing");

        assertThat(keys(things.orderBy(V.ascending())))
                .containsExactly("g", "c", "m", "e", "b", "k", "f", "a", "l", "n", "h", "j", "d", "i");
    }

    @Test
    void a_descending_order_is_the_reverse_with_nulls_still_last_and_ties_by_identity() {
        var things = mixed().entities("Thing");

        assertThat(keys(things.orderBy(V.descending())))
                .containsExactly("j", "h", "n", "l", "a", "f", "b", "k", "e", "m", "c", "g", "d", "i");
    }

    @Test
    void ties_are_broken_by_the_next_field_and_then_by_identity() {
        Session session = openThings();
        session.ensure(
                thing("1", "v", "x", "w", 2L),
                thing("2", "v", "y", "w", 1L),
                thing("3", "v", "x", "w", 1L),
                thing("4", "v", "y", "w", 1L),
                thing("5", "v", "x"));
        session.commit();
        var things = session.entities("Thing");

        assertThat(keys(things.orderBy(V.ascending(), W.descending()))).containsExactly("1", "3", "5", "2", "4");
        assertThat(keys(things.orderBy(W.ascending(), V.descending()))).containsExactly("2", "4", "3", "1", "5");
        assertThat(keys(things.orderBy(V.descending()))).containsExactly("2", "4", "1", "3", "5");
    }

    @Test
    void relations_are_ordered_by_the_entities_at_their_ends() {
        Session session = open();
        session.ensure(
                Customer.of("c1", "b", 2),
                Customer.of("c2", "a", 1),
                new Product("p1", "n", 1),
                new Subscription("c1", "p1", 1, true),
                new Subscription("c2", "p1", 2, true),
                new Subscription("c3", "p1", 3, true));
        session.commit();
        var subscriptions = session.relations(Subscription.class);

        assertThat(keys(subscriptions.orderBy(left(Customer::tier).ascending())))
                .containsExactly("c2 -> p1", "c1 -> p1", "c3 -> p1");
        assertThat(keys(subscriptions.orderBy(left(Customer::age).descending())))
                .containsExactly("c1 -> p1", "c2 -> p1", "c3 -> p1");
    }

    @Test
    void a_limit_and_an_offset_cut_the_order() {
        var things = mixed().entities("Thing").orderBy(V.ascending());
        List<String> all = keys(things);

        assertThat(keys(things.limit(3))).isEqualTo(all.subList(0, 3));
        assertThat(keys(things.offset(3))).isEqualTo(all.subList(3, all.size()));
        assertThat(keys(things.offset(3).limit(2))).isEqualTo(all.subList(3, 5));
        assertThat(keys(things.limit(0))).isEmpty();
        assertThat(keys(things.limit(1_000_000))).isEqualTo(all);
        assertThat(keys(things.offset(1_000_000))).isEmpty();
        assertThat(things.limit(2).offset(5).count()).isEqualTo(all.size());
        assertFails(ErrorKind.INVALID_INPUT, "negative", () -> things.limit(-1));
        assertFails(ErrorKind.INVALID_INPUT, "negative", () -> things.offset(-1));
    }

    @Test
    void the_first_is_the_first_of_the_order() {
        var things = mixed().entities("Thing");

        assertThat(things.first()).map(row -> row.identity().toString()).contains("a");
        assertThat(things.orderBy(V.descending()).first())
                .map(row -> row.identity().toString())
                .contains("j");
        assertThat(things.where(V.eq("no such")).first()).isEmpty();
    }

    @Test
    void pages_by_offset_are_the_whole() {
        var things = mixed().entities("Thing").orderBy(V.descending());
        List<String> paged = new ArrayList<>();

        for (int page = 0; page < 5; page++) {
            paged.addAll(keys(things.offset(page * 3L).limit(3)));
        }

        assertThat(paged).isEqualTo(keys(things));
    }

    @Test
    void pages_that_continue_after_the_last_row_are_the_whole() {
        Seeds.forEach(getClass().getSimpleName(), 1, random -> {
            Session session = openThings();
            for (int i = 0; i < 150; i++) {
                session.ensure(thing(key(random), "v", random.nextInt(3)));
                session.ensure(link(key(random), key(random), "v", random.nextInt(3)));
            }
            session.commit();
            for (int i = 0; i < 50; i++) {
                session.ensure(thing(key(random), "v", 5), link(key(random), key(random), "v", 5));
            }
            session.commit();

            for (Query<Row> query : List.of(
                    session.entities("Thing"),
                    session.relations("Link"),
                    session.entities("Thing").where(V.eq(1)),
                    session.relations("Link")
                            .where(V.ne(1).and(field("left.$.v").isNotNull())),
                    session.entities("Thing").asOf(1),
                    session.relations("Link").asOf(1).where(V.eq(2)))) {
                for (int size : new int[] {1, 7, 1000}) {
                    assertThat(pages(query, size)).isEqualTo(query.results());
                }
            }
        });
    }

    private static String key(RandomGenerator random) {
        return List.of("a", "B", "é", "😀", "x y", "'").get(random.nextInt(6)) + random.nextInt(10);
    }

    private static List<Result<Row>> pages(Query<Row> query, int size) {
        List<Result<Row>> all = new ArrayList<>(query.limit(size).results());
        List<Result<Row>> page = all;
        while (!page.isEmpty()) {
            page = query.limit(size).after(all.get(all.size() - 1).identity()).results();
            assertThat(page).hasSizeLessThanOrEqualTo(size);
            all.addAll(page);
        }
        return all;
    }

    @Test
    void a_page_continues_after_a_row_that_is_not_there() {
        Session session = openThings();
        session.ensure(thing("a"), thing("c"));
        session.commit();

        assertThat(keys(session.entities("Thing").after(new Identity.OfEntity("b"))))
                .containsExactly("c");
    }

    @Test
    void continuing_after_a_row_needs_the_order_of_identities_and_the_right_kind() {
        Session session = mixed();
        Identity last = new Identity.OfEntity("b");
        var things = session.entities("Thing");

        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot continue",
                () -> things.orderBy(V.ascending()).after(last).list());
        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot continue",
                () -> things.offset(1).after(last).list());
        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot continue",
                () -> things.withHistory().after(last).list());
        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot continue",
                () -> session.relations("Link").after(last).list());
        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot continue",
                () -> things.after(new Identity.OfRelation("a", "b", "")).list());
    }
}
