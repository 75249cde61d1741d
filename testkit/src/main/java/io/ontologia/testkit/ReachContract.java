package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.key;
import static io.ontologia.core.Fields.leftKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Path;
import io.ontologia.core.Reached;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.Step;
import io.ontologia.core.Traversal;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Maker;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Traversals in either direction, to a depth and to the end. */
public abstract class ReachContract extends OntologySuite {
    private static final Step ONWARD = Step.along("Link").toTheEnd();
    private static final Step BACK = Step.along("Link").backward().toTheEnd();

    private static Traversal from(Session session, String key) {
        return session.traverse("Thing").where(key().eq(key));
    }

    private static List<String> paths(Traversal traversal) {
        return traversal.list().stream().map(ReachContract::text).toList();
    }

    private static String text(Path path) {
        return path.source().identity()
                + path.hops().stream()
                        .map(hop -> " > " + hop.targetKey() + (hop.target().isPresent() ? "" : "?"))
                        .collect(Collectors.joining());
    }

    private static List<String> reached(Traversal traversal) {
        try (Stream<Reached> all = traversal.reached()) {
            return all.map(one -> one.depth() + " " + one.key() + (one.entity().isPresent() ? "" : "?"))
                    .toList();
        }
    }

    /** a > b > c > d, a > c, e > c, d > missing, and f alone. */
    private Session links() {
        Session session = openThings();
        commit(
                session,
                thing("a", "v", 1L),
                thing("b", "v", 2L),
                thing("c", "v", 3L),
                thing("d", "v", 4L),
                thing("e", "v", 5L),
                thing("f", "v", 6L),
                link("a", "b", "w", 1L),
                link("b", "c", "w", 2L),
                link("c", "d", "w", 3L),
                link("a", "c", "w", 4L),
                link("e", "c", "w", 5L),
                link("d", "missing", "w", 6L));
        return session;
    }

    @Test
    void a_relation_between_entities_of_one_type_is_followed_in_either_direction() {
        Session session = links();

        assertThat(paths(from(session, "c").via(Step.along("Link")))).containsExactly("c > d");
        assertThat(paths(from(session, "c").via(Step.along("Link").forward()))).containsExactly("c > d");
        assertThat(paths(from(session, "c").via(Step.along("Link").backward())))
                .containsExactly("c > a", "c > b", "c > e");
        assertThat(paths(from(session, "b")
                        .via(Step.along("Link").backward())
                        .via(Step.along("Link").forward())))
                .containsExactly("b > a > b", "b > a > c");
    }

    @Test
    void a_step_to_the_end_reaches_everything_once_by_a_shortest_path() {
        Session session = links();

        assertThat(paths(from(session, "a").via(ONWARD)))
                .containsExactly("a > b", "a > c", "a > c > d", "a > c > d > missing?");
        assertThat(reached(from(session, "a").via(ONWARD))).containsExactly("1 b", "1 c", "2 d", "3 missing?");
        assertThat(reached(from(session, "d").via(BACK))).containsExactly("1 c", "2 a", "2 b", "2 e");
        assertThat(from(session, "d").via(BACK).reachedKeys())
                .containsExactlyEntriesOf(ordered("c", 1, "a", 2, "b", 2, "e", 2));
        assertThat(reached(from(session, "f").via(ONWARD))).isEmpty();
        assertThat(reached(from(session, "no such").via(ONWARD))).isEmpty();
    }

    private static Map<String, Integer> ordered(Object... keysAndDepths) {
        Map<String, Integer> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndDepths.length; i += 2) {
            map.put((String) keysAndDepths[i], (Integer) keysAndDepths[i + 1]);
        }
        return map;
    }

    @Test
    void a_step_reaches_no_farther_than_its_depth() {
        Session session = links();

        assertThat(reached(from(session, "a").via(Step.along("Link").upTo(2)))).containsExactly("1 b", "1 c", "2 d");
        assertThat(paths(from(session, "d").via(Step.along("Link").backward().upTo(1))))
                .containsExactly("d > c");
        assertFails(
                ErrorKind.INVALID_INPUT,
                "it may follow 0 relations",
                () -> Step.along("Link").upTo(0));
    }

    @Test
    void several_starts_reach_what_one_of_them_reaches() {
        Session session = links();

        assertThat(reached(session.traverse("Thing")
                        .where(key().in(List.of("a", "c")))
                        .via(ONWARD)))
                .containsExactly("1 b", "1 c", "1 d", "2 missing?");
        assertThat(paths(session.traverse("Thing")
                        .where(key().in(List.of("c", "b")))
                        .via(ONWARD)))
                .containsExactly("b > c", "b > c > d", "b > c > d > missing?", "c > d", "c > d > missing?");
        assertThat(reached(from(session, "a").via("Link").via(Step.along("Link").upTo(2))))
                .containsExactly("2 c", "2 d", "3 missing?");
    }

    @Test
    void cycles_and_loops_end() {
        Session session = openThings();
        commit(
                session,
                thing("a"),
                thing("b"),
                thing("c"),
                thing("loop"),
                link("a", "b"),
                link("b", "c"),
                link("c", "a"),
                link("c", "b"),
                link("loop", "loop"));

        assertThat(reached(from(session, "a").via(ONWARD))).containsExactly("1 b", "2 c", "3 a");
        assertThat(paths(from(session, "a").via(ONWARD))).containsExactly("a > b", "a > b > c", "a > b > c > a");
        assertThat(reached(from(session, "a").via(BACK))).containsExactly("1 c", "2 b", "3 a");
        assertThat(reached(from(session, "loop").via(ONWARD))).containsExactly("1 loop");
        assertThat(paths(from(session, "loop").via(BACK))).containsExactly("loop > loop");
        assertThat(reached(session.traverse("Thing").via(ONWARD))).containsExactly("1 a", "1 b", "1 c", "1 loop");
    }

    @Test
    void each_step_has_its_own_filters() {
        Session session = links();

        assertThat(reached(from(session, "a").via(ONWARD.where(field("$.w").ne(4L)))))
                .containsExactly("1 b", "2 c", "3 d", "4 missing?");
        assertThat(reached(
                        from(session, "a").via(ONWARD.whereTarget(field("$.v").lt(4L)))))
                .containsExactly("1 b", "1 c");
        assertThat(reached(
                        from(session, "a").via(ONWARD.whereTarget(field("$.v").ne(3L)))))
                .containsExactly("1 b");
        assertThat(reached(from(session, "d").via(BACK.where(leftKey().ne("b")))))
                .containsExactly("1 c", "2 a", "2 e");
        assertThat(reached(from(session, "d").via(BACK.where(field("left.$.v").gt(1L)))))
                .containsExactly("1 c", "2 b", "2 e");
        assertThat(paths(from(session, "a")
                        .via(Step.along("Link").where(field("$.w").eq(1L)))
                        .via(Step.along("Link").whereTarget(field("$.v").eq(3L)))))
                .containsExactly("a > b > c");
        assertThat(paths(from(session, "d").via(Step.along("Link").whereTarget(key().ne("x")))))
                .isEmpty();
        assertFails(
                ErrorKind.INVALID_INPUT,
                "has no field 'no'",
                () -> from(session, "a").via(ONWARD.where(field("$.no").eq(1L))));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "no left and right end",
                () -> from(session, "a").via(ONWARD.whereTarget(leftKey().eq("x"))));
    }

    @Test
    void roots_without_relations_are_kept_when_asked_for() {
        Session session = links();
        Traversal onward = session.traverse("Thing").where(key().in(List.of("b", "f", "d")));

        assertThat(paths(onward.via("Link").via("Link"))).containsExactly("b > c > d");
        assertThat(paths(onward.via("Link").via("Link").keepingRoots())).containsExactly("b > c > d", "d", "f");
        assertThat(paths(onward.via(ONWARD).keepingRoots()))
                .containsExactly("b > c", "b > c > d", "b > c > d > missing?", "d > missing?", "f");
        assertThat(paths(session.traverse("Thing").via(BACK).keepingRoots().limit(2)))
                .containsExactly("a", "b > a");
    }

    @Test
    void the_past_is_followed_as_it_was() {
        Session session = links();
        commit(session, thing("missing"), link("missing", "f"), link("f", "a", "w", 1L));
        commit(session, link("f", "a", "w", 2L), thing("d", "v", 40L));

        assertThat(reached(from(session, "d").via(ONWARD).asOf(1))).containsExactly("1 missing?");
        assertThat(reached(from(session, "d").via(ONWARD).asOf(2)))
                .containsExactly("1 missing", "2 f", "3 a", "4 b", "4 c", "5 d");
        Step withoutTwo = ONWARD.where(field("$.w").ne(2L).or(field("$.w").isNull()));
        assertThat(reached(from(session, "d").via(withoutTwo).asOf(2)))
                .containsExactly("1 missing", "2 f", "3 a", "4 b", "4 c", "5 d");
        assertThat(reached(from(session, "d").via(withoutTwo))).containsExactly("1 missing", "2 f");
        assertThat(paths(from(session, "d").via(ONWARD).asOf(0))).isEmpty();
        assertThat(from(session, "c")
                        .via("Link")
                        .asOf(2)
                        .list()
                        .get(0)
                        .hops()
                        .get(0)
                        .target())
                .hasValueSatisfying(row -> assertThat(row.value().fields()).containsEntry("v", 4L));
    }

    @Test
    void a_traversal_sees_one_commit_also_while_others_commit() {
        Session session = openThings();
        session.ensureAll(IntStream.range(0, 600).boxed().flatMap(i -> Stream.of(thing("k" + i), link("k" + i, "x"))));
        session.commit();
        Session other = openThings();

        try (Stream<Path> stream = session.traverse("Thing").via("Link").stream()) {
            var paths = stream.iterator();
            paths.next();
            other.ensureAll(IntStream.range(0, 600).mapToObj(i -> link("k" + i, "y")));
            other.commit();
            int count = 1;
            while (paths.hasNext()) {
                assertThat(paths.next().hops().get(0).targetKey()).isEqualTo("x");
                count++;
            }
            assertThat(count).isEqualTo(600);
        }
        assertThat(session.traverse("Thing").via("Link").list()).hasSize(1200);
    }

    @Test
    void relations_with_instance_keys_lead_once_to_each_end() {
        Session session = open();
        commit(
                session,
                Customer.of("c1", "Gold", 1),
                Customer.of("c2", "Gold", 1),
                new Maker("m1", "IT"),
                new Visit("c1", "m1", "tuesday", 2),
                new Visit("c1", "m1", "monday", 1),
                new Visit("c2", "m1", "monday", 1));

        assertThat(session.traverse(Customer.class).via(Visit.class).reachedKeys())
                .containsExactly(Map.entry("m1", 1));
        assertThat(session.traverse(Maker.class).via(Visit.class).reachedKeys().keySet())
                .containsExactly("c1", "c2");
        assertThat(session.traverse(Customer.class).via(Visit.class).list()).hasSize(3);
    }

    @Test
    void only_relations_within_one_type_can_be_repeated_and_directions_must_fit() {
        Session session = open();

        assertFails(
                ErrorKind.INVALID_INPUT,
                "cannot follow Subscription several times in a row",
                () -> session.traverse(Customer.class)
                        .via(Step.along("Subscription").toTheEnd()));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "follow it in the other direction",
                () -> session.traverse(Product.class)
                        .via(Step.along("Subscription").forward()));
        commit(session, Customer.of("c1", "Gold", 1), new Product("p1", "A", 1), new Subscription("c1", "p1", 1, true));
        assertThat(session.traverse(Product.class)
                        .via(Step.along("Subscription").backward())
                        .reachedKeys())
                .containsExactly(Map.entry("c1", 1));
    }

    @Test
    void more_than_the_limit_is_refused() {
        Session session = openThings();
        session.ensureAll(IntStream.range(0, 50).mapToObj(i -> link("hub", "k" + i)));
        commit(session, thing("hub"));
        Traversal wide = from(session, "hub").via(ONWARD);

        assertThat(wide.mostReached(50).reachedKeys()).hasSize(50);
        assertFails(
                ErrorKind.INVALID_INPUT,
                "there are more than 49",
                () -> wide.mostReached(49).reachedKeys());
        assertFails(
                ErrorKind.INVALID_INPUT,
                "there are more than 49",
                () -> wide.mostReached(49).list());
    }

    @Test
    void a_chain_of_ten_thousand_is_followed_to_its_end() {
        Session session = openThings();
        int length = 10_000;
        commit(session, thing("k0"), thing("k" + length, "v", 1L));
        session.ensureAll(IntStream.range(0, length).mapToObj(i -> link("k" + i, "k" + (i + 1))));
        session.commit();

        assertThat(from(session, "k" + length).via(BACK).reachedKeys())
                .hasSize(length)
                .containsEntry("k0", length);
        try (Stream<Path> paths = from(session, "k0").via(ONWARD).stream()) {
            Path last = paths.reduce((one, other) -> other).orElseThrow();
            assertThat(last.depth()).isEqualTo(length);
            assertThat(last.hops().get(length - 1).target()).isPresent();
            assertThat(last.hops().get(123).targetKey()).isEqualTo("k124");
        }
        assertThat(from(session, "k0").via(ONWARD.whereTarget(key().ne("x"))).reachedKeys())
                .isEmpty();
        assertThat(from(session, "k" + length).via(BACK).asOf(2).reachedKeys()).hasSize(length);
    }

    @Test
    void wide_entities_and_random_graphs_are_followed_as_a_plain_search_does() {
        Seeds.forEach("graphs", 1, random -> {
            Session session = openThings();
            int size = 2_000;
            Map<String, Set<String>> backward = new HashMap<>();
            Deque<Row> rows = new ArrayDeque<>();
            for (int i = 0; i < size; i++) {
                rows.add(thing("p" + i, "v", (long) (i % 7)));
                // Most depend on a few, as packages do, and a few on each other.
                for (int n = random.nextInt(6); n > 0; n--) {
                    String target = "p" + (int) (size * Math.pow(random.nextDouble(), 3));
                    backward.computeIfAbsent(target, key -> new TreeSet<>()).add("p" + i);
                    rows.add(link("p" + i, target));
                }
            }
            session.ensureAll(rows);
            session.commit();

            for (String start : List.of("p0", "p1", "p" + random.nextInt(size))) {
                assertThat(from(session, start).via(BACK).reachedKeys())
                        .isEqualTo(search(backward, start, Integer.MAX_VALUE));
                assertThat(from(session, start)
                                .via(Step.along("Link").backward().upTo(2))
                                .reachedKeys())
                        .isEqualTo(search(backward, start, 2));
            }
        });
    }

    private static Map<String, Integer> search(Map<String, Set<String>> edges, String start, int most) {
        Map<String, Integer> depths = new HashMap<>();
        Set<String> frontier = Set.of(start);
        for (int depth = 1; depth <= most && !frontier.isEmpty(); depth++) {
            Set<String> next = new TreeSet<>();
            for (String key : frontier) {
                for (String reached : edges.getOrDefault(key, Set.of())) {
                    if (!depths.containsKey(reached)) {
                        next.add(reached);
                    }
                }
            }
            for (String key : next) {
                depths.put(key, depth);
            }
            frontier = next;
        }
        return depths;
    }
}
