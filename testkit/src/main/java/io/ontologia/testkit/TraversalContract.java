package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Path;
import io.ontologia.core.Session;
import io.ontologia.core.Traversal;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.MadeBy;
import io.ontologia.testkit.Shop.Maker;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Paths along relations. */
public abstract class TraversalContract extends OntologySuite {

    private Session shop() {
        Session session = open();
        session.ensure(
                Customer.of("c1", "Gold", 30),
                Customer.of("c2", "Iron", 40),
                Customer.of("c3", "Iron", 50),
                new Product("p1", "Analytics", 9.5),
                new Product("p2", "Backup", 3),
                new Maker("m1", "IT"),
                new Subscription("c1", "p1", 5, true),
                new Subscription("c1", "p2", 1, true),
                new Subscription("c2", "p1", 7, false),
                new Subscription("c2", "gone", 1, false),
                new MadeBy("p1", "m1"),
                new MadeBy("p2", "m2"),
                new MadeBy("gone", "m1"),
                new Visit("c3", "m1", "monday", 3),
                new Visit("c3", "m1", "tuesday", 4));
        session.commit();
        return session;
    }

    private static List<String> paths(Traversal traversal) {
        return traversal.list().stream().map(TraversalContract::text).sorted().toList();
    }

    private static String text(Path path) {
        return path.source().identity()
                + path.hops().stream()
                        .map(hop -> " > " + hop.targetKey() + (hop.target().isPresent() ? "" : "?"))
                        .collect(Collectors.joining());
    }

    @Test
    void one_step_leads_from_left_to_right() {
        Session session = shop();

        assertThat(paths(session.traverse(Customer.class).via(Subscription.class)))
                .containsExactly("c1 > p1", "c1 > p2", "c2 > gone?", "c2 > p1");
    }

    @Test
    void one_step_leads_from_right_to_left() {
        Session session = shop();

        assertThat(paths(session.traverse(Product.class).via(Subscription.class)))
                .containsExactly("p1 > c1", "p1 > c2", "p2 > c1");
    }

    @Test
    void two_steps_lead_on_also_where_the_entity_between_is_not_stored() {
        Session session = shop();

        assertThat(paths(session.traverse("Customer").via("Subscription").via("MadeBy")))
                .containsExactly("c1 > p1 > m1", "c1 > p2 > m2?", "c2 > gone? > m1", "c2 > p1 > m1");
    }

    @Test
    void a_path_can_turn_back() {
        Session session = shop();

        assertThat(paths(session.traverse(Maker.class).via(MadeBy.class).via(Subscription.class)))
                .containsExactly("m1 > gone? > c2", "m1 > p1 > c1", "m1 > p1 > c2");
        assertThat(paths(session.traverse(Customer.class)
                        .where(field(Customer::tier).eq("Gold"))
                        .via(Subscription.class)
                        .via(Subscription.class)))
                .containsExactly("c1 > p1 > c1", "c1 > p1 > c2", "c1 > p2 > c1");
    }

    @Test
    void relations_with_instance_keys_are_paths_of_their_own() {
        Session session = shop();

        List<Path> paths = session.traverse(Customer.class).via(Visit.class).list();

        assertThat(paths.stream().map(path -> path.relation(0, Visit.class)))
                .containsExactly(new Visit("c3", "m1", "monday", 3), new Visit("c3", "m1", "tuesday", 4));
    }

    @Test
    void a_path_holds_records() {
        Session session = shop();

        Path path = session.traverse(Customer.class)
                .where(field(Customer::id).eq("c1"))
                .via(Subscription.class)
                .via(MadeBy.class)
                .list()
                .get(0);

        assertThat(path.source(Customer.class)).isEqualTo(Customer.of("c1", "Gold", 30));
        assertThat(path.relation(0, Subscription.class)).isEqualTo(new Subscription("c1", "p1", 5, true));
        assertThat(path.target(0, Product.class)).contains(new Product("p1", "Analytics", 9.5));
        assertThat(path.relation(1, MadeBy.class)).isEqualTo(new MadeBy("p1", "m1"));
        assertThat(path.target(1, Maker.class)).contains(new Maker("m1", "IT"));
        assertThat(path.hops()).hasSize(2);
        assertThat(path.source().commitId()).isEqualTo(1);
    }

    @Test
    void the_sources_can_be_chosen_and_limited() {
        Session session = shop();
        Traversal all = session.traverse(Customer.class).via(Subscription.class);

        assertThat(paths(all.where(field(Customer::age).gt(30)))).containsExactly("c2 > gone?", "c2 > p1");
        assertThat(paths(all.limit(1))).containsExactly("c1 > p1", "c1 > p2");
        assertThat(paths(all.limit(0))).isEmpty();
        assertThat(paths(all.where(field(Customer::tier).eq("no such")))).isEmpty();
    }

    @Test
    void without_a_step_the_paths_are_the_sources() {
        Session session = shop();

        assertThat(paths(session.traverse(Customer.class))).containsExactly("c1", "c2", "c3");
    }

    @Test
    void past_paths_can_be_asked_for() {
        Session session = shop();
        commit(session, new Product("gone", "Found", 1), new Subscription("c3", "p2", 1, true), new Maker("m2", "FR"));
        commit(session, new Product("p1", "Renamed", 1));
        Traversal all = session.traverse(Customer.class).via(Subscription.class).via(MadeBy.class);

        assertThat(paths(all.asOf(1)))
                .containsExactly("c1 > p1 > m1", "c1 > p2 > m2?", "c2 > gone? > m1", "c2 > p1 > m1");
        assertThat(paths(all))
                .containsExactly("c1 > p1 > m1", "c1 > p2 > m2", "c2 > gone > m1", "c2 > p1 > m1", "c3 > p2 > m2");
        assertThat(paths(all.asOf(0))).isEmpty();
        assertThat(all.asOf(2).list().get(0).target(0, Product.class))
                .map(Product::name)
                .contains("Analytics");
        assertThat(all.asOf(3).list().get(0).target(0, Product.class))
                .map(Product::name)
                .contains("Renamed");
    }

    @Test
    void many_sources_are_followed_in_batches() {
        Session session = open();
        session.ensureAll(IntStream.range(0, 1203)
                .boxed()
                .flatMap(i -> Stream.of(
                        Customer.of("c" + i, "x", i),
                        new Product("p" + i, "n", i),
                        new Subscription("c" + i, "p" + i, 1, true),
                        new Subscription("c" + i, "p0", 1, true))));
        session.commit();

        List<Path> paths =
                session.traverse(Customer.class).via(Subscription.class).list();

        assertThat(paths)
                .hasSize(2 * 1203 - 1)
                .allMatch(path -> path.hops().get(0).target().isPresent());
        try (Stream<Path> some = session.traverse(Customer.class).via(Subscription.class).stream()) {
            assertThat(some.limit(3)).hasSize(3);
        }
    }

    @Test
    void a_step_that_leads_nowhere_is_refused() {
        Session session = shop();

        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot go from Customer via MadeBy",
                () -> session.traverse(Customer.class).via(MadeBy.class));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot go from Maker via Subscription",
                () -> session.traverse(Product.class).via(MadeBy.class).via(Subscription.class));
        assertFails(
                ErrorKind.NOT_FOUND,
                "unknown relation Nothing",
                () -> session.traverse("Customer").via("Nothing"));
        assertFails(ErrorKind.NOT_FOUND, "unknown entity Nobody", () -> session.traverse("Nobody"));
    }

    @Test
    void where_both_ends_are_of_one_type_a_step_leads_to_the_right() {
        Session session = openThings();
        commit(session, thing("a"), thing("b"), thing("c"), link("a", "b"), link("b", "c"), link("c", "c"));

        assertThat(paths(session.traverse("Thing").via("Link").via("Link")))
                .containsExactly("a > b > c", "b > c > c", "c > c > c");
    }
}
