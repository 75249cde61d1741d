package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sessions that are pinned to one commit: several queries see one state while others write. */
public abstract class PinnedSessionContract extends OntologySuite {

    /** Everything that a session can be asked about the shop. */
    private static List<Object> answers(Session session) {
        List<Object> answers = new ArrayList<>();
        answers.add(session.head());
        answers.add(session.entities(Customer.class).results());
        answers.add(
                session.entities("Customer").where(field("$.tier").eq("Gold")).list());
        answers.add(session.entities(Customer.class).count());
        answers.add(session.entities(Customer.class)
                .groupBy(field("$.tier"))
                .aggregate(Aggregate.count("n"), Aggregate.sum("age", field("$.age"))));
        answers.add(session.entities(Customer.class).withHistory().results());
        answers.add(session.entities(Customer.class).historySince(1).results());
        answers.add(session.entities(Customer.class)
                .withHistory()
                .orderBy(field("$.age").descending())
                .limit(2)
                .results());
        answers.add(session.entities(Customer.class).withHistory().count());
        answers.add(session.entities(Customer.class).asOf(1).results());
        answers.add(session.entities(Customer.class).asOf(1_000).results());
        answers.add(session.find(Customer.class, "c1"));
        answers.add(session.find(Customer.class, "c9"));
        answers.add(session.findHistory(Customer.class, "c1"));
        answers.add(session.relations(Subscription.class).results());
        answers.add(session.relations(Subscription.class)
                .where(left(Customer::tier).eq("Gold"))
                .results());
        answers.add(session.relations(Subscription.class)
                .withHistory()
                .where(left(Customer::tier).eq("Gold"))
                .results());
        answers.add(session.traverse(Customer.class).via(Subscription.class).list().stream()
                .map(path -> path.source().identity() + " " + path.hops().size() + " "
                        + path.hops().get(0).target().map(Result::commitId).orElse(0L))
                .toList());
        answers.add(session.log().since(0));
        answers.add(session.log().last(1));
        answers.add(session.log().diff(1, 2));
        return answers;
    }

    private Session twoCommits() {
        Session session = open();
        commit(session, Customer.of("c1", "Gold", 1), Customer.of("c2", "Iron", 2), new Product("p1", "n", 1));
        tick();
        commit(session, Customer.of("c2", "Gold", 5), new Subscription("c1", "p1", 1, true));
        tick();
        return session;
    }

    private void changeEverything(Session session) {
        commit(
                session,
                Customer.of("c1", "Lead", 7),
                Customer.of("c9", "Gold", 9),
                new Product("p1", "m", 2),
                new Subscription("c1", "p1", 2, false),
                new Subscription("c2", "p1", 2, false));
        tick();
    }

    @Test
    void every_answer_stays_the_same_while_others_write() {
        Session session = twoCommits();
        List<Object> before = answers(session);

        try (Session pinned = session.pinnedTo(2)) {
            assertThat(answers(pinned)).isEqualTo(before);
            changeEverything(open());
            changeEverythingBack(session);
            assertThat(answers(pinned)).isEqualTo(before);
        }

        assertThat(answers(session)).isNotEqualTo(before);
        assertThat(answers(session.pinnedTo(2))).isEqualTo(before);
    }

    private void changeEverythingBack(Session session) {
        commit(session, Customer.of("c1", "Gold", 1), new Subscription("c1", "p1", 1, true));
        tick();
    }

    @Test
    void a_time_means_no_later_commit_than_the_pinned_one() {
        Session session = twoCommits();
        changeEverything(session);

        try (Session pinned = session.pinnedTo(2)) {
            assertThat(pinned.log().at(clock.now()).commitId()).isEqualTo(2);
            assertThat(pinned.entities(Customer.class).asOf(clock.now()).results())
                    .isEqualTo(session.entities(Customer.class).asOf(2).results());
            assertThat(pinned.log().get(3)).isEmpty();
            assertFails(
                    ErrorKind.NOT_FOUND, "unknown commit 3", () -> pinned.log().changes(3));
        }
    }

    @Test
    void the_time_before_the_first_commit_is_empty() {
        Session session = twoCommits();

        try (Session pinned = session.pinnedTo(0)) {
            assertThat(pinned.head()).isZero();
            assertThat(pinned.entities(Customer.class).list()).isEmpty();
            assertThat(pinned.entities(Customer.class).withHistory().list()).isEmpty();
            assertThat(pinned.find(Customer.class, "c1")).isEmpty();
            assertThat(pinned.log().last(9)).isEmpty();
        }
    }

    @Test
    void a_pinned_session_only_reads() {
        Session session = twoCommits();

        try (Session pinned = session.pinnedTo(2)) {
            assertFails(ErrorKind.INVALID_INPUT, "pinned to commit 2", () -> pinned.ensure(Customer.of("c1", "x", 1)));
            assertFails(ErrorKind.INVALID_INPUT, "pinned to commit 2", pinned::commit);
            assertFails(ErrorKind.INVALID_INPUT, "pinned to commit 2", pinned::lock);
            assertThat(pinned.pinnedTo()).hasValue(2);
        }
        assertThat(session.head()).isEqualTo(2);
    }

    @Test
    void only_a_commit_that_exists_can_be_pinned_to() {
        Session session = twoCommits();

        assertFails(ErrorKind.NOT_FOUND, "the newest commit is 2", () -> session.pinnedTo(3));
        assertFails(ErrorKind.NOT_FOUND, "commit -1", () -> session.pinnedTo(-1));
        assertFails(
                ErrorKind.NOT_FOUND,
                "the newest commit is 1",
                () -> session.pinnedTo(1).pinnedTo(2));
    }

    @Test
    void closing_it_leaves_the_store_open() {
        Session session = twoCommits();

        session.pinnedTo(1).close();

        assertThat(session.entities(Customer.class).count()).isEqualTo(2);
    }

    /** Each commit gives all customers the same age; two queries of one pinned session must agree on it. */
    @Test
    void queries_beside_a_busy_writer_agree() throws InterruptedException {
        Session session = open();
        session.ensureAll(customers(0));
        session.commit();
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            try {
                Session own = open();
                for (int age = 1; !done.get() && age < 1_000; age++) {
                    own.ensureAll(customers(age));
                    own.commit();
                }
            } catch (RuntimeException | Error e) {
                failure.set(e);
            }
        });
        writer.start();
        try {
            for (int i = 0; i < 15; i++) {
                try (Session pinned = session.pinnedTo(session.head())) {
                    Map<String, @Nullable Object> ages = pinned.entities(Customer.class)
                            .aggregate(Aggregate.min("least", field("$.age")), Aggregate.max("most", field("$.age")))
                            .get(0);
                    assertThat(ages.get("least")).isEqualTo(ages.get("most"));
                    assertThat(pinned.entities(Customer.class).list())
                            .allMatch(customer ->
                                    String.valueOf(customer.age()).equals(String.valueOf(ages.get("least"))));
                    assertThat(pinned.log().last(1)).extracting(CommitInfo::id).containsExactly(pinned.head());
                }
            }
        } finally {
            done.set(true);
            writer.join();
        }
        assertThat(failure.get()).isNull();
    }

    private static List<Customer> customers(int age) {
        return IntStream.range(0, 20)
                .mapToObj(i -> Customer.of("c" + i, "x", age))
                .toList();
    }
}
