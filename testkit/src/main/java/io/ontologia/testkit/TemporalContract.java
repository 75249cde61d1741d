package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.left;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.CommitAtTime;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The state as of a commit or a moment, every version there ever was, and reads that see one state. */
public abstract class TemporalContract extends OntologySuite {

    /** Commit 1: c1 Gold, c2 Iron; 2: c1 Silver and a subscription; 3: c3; 4: the subscription again and c1 Gold. */
    private Session history() {
        Session session = open();
        commit(session, Customer.of("c1", "Gold", 1), Customer.of("c2", "Iron", 1));
        tick();
        commit(session, Customer.of("c1", "Silver", 2), new Subscription("c1", "p1", 1, true));
        tick();
        commit(session, Customer.of("c3", "Gold", 3));
        tick();
        commit(session, Customer.of("c1", "Gold", 4), new Subscription("c1", "p1", 2, false));
        return session;
    }

    private static List<String> tiers(Stream<Customer> customers) {
        return customers
                .map(customer -> customer.id() + " " + customer.tier() + " " + customer.age())
                .toList();
    }

    private static List<String> asOf(Session session, long commit) {
        return tiers(session.entities(Customer.class).asOf(commit).list().stream());
    }

    @Test
    void the_state_after_any_commit_can_be_asked_for() {
        Session session = history();

        assertThat(asOf(session, 0)).isEmpty();
        assertThat(asOf(session, 1)).containsExactly("c1 Gold 1", "c2 Iron 1");
        assertThat(asOf(session, 2)).containsExactly("c1 Silver 2", "c2 Iron 1");
        assertThat(asOf(session, 3)).containsExactly("c1 Silver 2", "c2 Iron 1", "c3 Gold 3");
        assertThat(asOf(session, 4)).containsExactly("c1 Gold 4", "c2 Iron 1", "c3 Gold 3");
        assertThat(asOf(session, 1_000_000)).isEqualTo(asOf(session, 4));
        assertThat(session.relations(Subscription.class).asOf(1).list()).isEmpty();
        assertThat(session.relations(Subscription.class).asOf(3).list())
                .containsExactly(new Subscription("c1", "p1", 1, true));
    }

    @Test
    void the_state_at_any_moment_can_be_asked_for() {
        Session session = history();
        List<Instant> at =
                session.log().since(0).stream().map(CommitInfo::at).sorted().toList();
        var customers = session.entities(Customer.class);

        assertThat(customers.asOf(at.get(0).minusNanos(1000)).list()).isEmpty();
        for (int i = 0; i < 4; i++) {
            assertThat(tiers(customers.asOf(at.get(i)).list().stream())).isEqualTo(asOf(session, i + 1));
            assertThat(tiers(customers.asOf(at.get(i).plusMillis(999)).list().stream()))
                    .isEqualTo(asOf(session, i + 1));
        }
        assertThat(tiers(customers.asOf(at.get(3).plus(Duration.ofDays(10_000))).list().stream()))
                .isEqualTo(asOf(session, 4));
    }

    @Test
    void commits_after_one_by_a_clock_that_was_ahead_are_named_where_a_time_is_asked_for() {
        Session session = open();
        Instant start = clock.now();
        commit(session, Customer.of("c1", "a", 1));
        clock.setWallClock(start.plus(Duration.ofDays(1)));
        commit(session, Customer.of("c1", "b", 1));
        clock.setWallClock(start.plusSeconds(60));
        try (Warnings warnings = Warnings.of(Session.class)) {
            commit(session, Customer.of("c1", "c", 1));
            commit(session, Customer.of("c1", "d", 1));

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains("commit 3", "2026-01-02T00:00:00", " minutes ahead of this clock");
        }

        CommitAtTime now = session.log().at(clock.now());
        assertThat(now.commitId()).isEqualTo(1);
        assertThat(now.isAmbiguous()).isTrue();
        assertThat(ids(now.ahead())).containsExactly(2L, 4L);
        assertThat(ids(now.sameTime())).containsExactly(2L, 4L);
        assertThat(session.log().aheadOfClock()).map(CommitInfo::id).contains(4L);

        clock.setWallClock(start.plus(Duration.ofDays(2)));
        commit(session, Customer.of("c1", "e", 1));
        assertThat(session.log().aheadOfClock()).isEmpty();
        assertThat(session.log().at(clock.now())).isEqualTo(new CommitAtTime(5, Optional.empty(), Optional.empty()));
        CommitAtTime past = session.log().at(start.plusSeconds(60));
        assertThat(past.ahead()).isEmpty();
        assertThat(ids(past.sameTime())).containsExactly(2L, 4L);
        Instant shared = past.sameTime().orElseThrow().last().at();
        assertThat(session.log().at(shared)).isEqualTo(new CommitAtTime(4, Optional.empty(), Optional.empty()));
    }

    private static List<Long> ids(Optional<CommitAtTime.CommitRange> range) {
        return range.map(one -> List.of(one.first().id(), one.last().id())).orElse(List.of());
    }

    @Test
    void a_check_names_commits_that_carry_times_ahead_of_the_clock() {
        Session session = open();
        Instant start = clock.now();
        commit(session, Customer.of("c1", "a", 1));
        clock.setWallClock(start.plus(Duration.ofDays(1)));
        commit(session, Customer.of("c1", "b", 1));
        commit(session, Customer.of("c1", "c", 1));
        try (Maintenance maintenance = Ontologia.maintain(uri(), options())) {
            assertThat(aheadOfClock(maintenance)).isEmpty();

            clock.setWallClock(start.plusSeconds(60));

            assertThat(aheadOfClock(maintenance)).singleElement().satisfies(finding -> {
                assertThat(finding.isProblem()).isTrue();
                assertThat(finding.count()).isEqualTo(2);
                assertThat(finding.example()).startsWith("commit 2 to 3 at 2026-01-02T00:00:00.");
            });
        }
    }

    private static List<Finding> aheadOfClock(Maintenance maintenance) {
        return maintenance.check((step, done, total) -> {}).stream()
                .filter(finding -> finding.code().equals("commit-time-ahead"))
                .toList();
    }

    @Test
    void of_several_commits_at_one_moment_the_last_counts() {
        Session session = open();
        commit(session, Customer.of("c1", "a", 1));
        commit(session, Customer.of("c1", "b", 1));

        assertThat(session.entities(Customer.class).asOf(clock.now()).first())
                .map(Customer::tier)
                .contains("b");
    }

    @Test
    void a_commit_before_the_first_is_refused_and_zero_is_empty() {
        Session session = history();
        var customers = session.entities(Customer.class);

        assertFails(ErrorKind.INVALID_INPUT, "negative", () -> customers.asOf(-1));
        assertFails(ErrorKind.INVALID_INPUT, "negative", () -> customers.historySince(-1));
        assertThat(customers.asOf(0).count()).isZero();
        assertThat(customers.asOf(0).first()).isEmpty();
        assertThat(customers.asOf(0).aggregate(Aggregate.count("n"))).containsExactly(Map.of("n", 0L));
    }

    @Test
    void filters_orders_and_counts_apply_to_the_past_state() {
        Session session = history();
        var gold = session.entities(Customer.class).where(field(Customer::tier).eq("Gold"));

        assertThat(keys(gold.asOf(1))).containsExactly("c1");
        assertThat(keys(gold.asOf(2))).isEmpty();
        assertThat(keys(gold.asOf(4).orderBy(field(Customer::age).descending())))
                .containsExactly("c1", "c3");
        assertThat(gold.asOf(3).count()).isEqualTo(1);
        assertThat(gold.asOf(3).results()).extracting(Result::commitId).containsExactly(3L);
    }

    @Test
    void the_ends_of_past_relations_are_those_of_the_past() {
        Session session = history();
        var ofGold =
                session.relations(Subscription.class).where(left(Customer::tier).eq("Gold"));
        var ofSilver =
                session.relations(Subscription.class).where(left(Customer::tier).eq("Silver"));

        assertThat(ofGold.asOf(2).list()).isEmpty();
        assertThat(ofSilver.asOf(2).list()).containsExactly(new Subscription("c1", "p1", 1, true));
        assertThat(ofGold.asOf(4).list()).containsExactly(new Subscription("c1", "p1", 2, false));
        assertThat(ofGold.list()).containsExactly(new Subscription("c1", "p1", 2, false));
        assertThat(ofSilver.list()).isEmpty();
    }

    @Test
    void every_version_is_listed_oldest_first() {
        Session session = history();

        List<Result<Customer>> all =
                session.entities(Customer.class).withHistory().results();

        assertThat(tiers(all.stream().map(Result::value)))
                .containsExactly("c1 Gold 1", "c2 Iron 1", "c1 Silver 2", "c3 Gold 3", "c1 Gold 4");
        assertThat(all).extracting(Result::commitId).containsExactly(1L, 1L, 2L, 3L, 4L);
        assertThat(session.entities(Customer.class).withHistory().count()).isEqualTo(5);
        assertThat(session.relations(Subscription.class).withHistory().list())
                .containsExactly(new Subscription("c1", "p1", 1, true), new Subscription("c1", "p1", 2, false));
    }

    @Test
    void every_version_since_a_commit_is_listed_without_that_commit() {
        Session session = history();
        var customers = session.entities(Customer.class);

        assertThat(tiers(customers.historySince(2).list().stream())).containsExactly("c3 Gold 3", "c1 Gold 4");
        assertThat(customers.historySince(0).list())
                .isEqualTo(customers.withHistory().list());
        assertThat(customers.historySince(4).list()).isEmpty();
        assertThat(customers.historySince(99).list()).isEmpty();
    }

    @Test
    void a_history_can_be_filtered_ordered_and_cut() {
        Session session = history();
        var gold = session.entities(Customer.class)
                .withHistory()
                .where(field(Customer::tier).eq("Gold"));

        assertThat(tiers(gold.list().stream())).containsExactly("c1 Gold 1", "c3 Gold 3", "c1 Gold 4");
        assertThat(tiers(gold.orderBy(field(Customer::age).descending()).list().stream()))
                .containsExactly("c1 Gold 4", "c3 Gold 3", "c1 Gold 1");
        assertThat(tiers(gold.offset(1).limit(1).list().stream())).containsExactly("c3 Gold 3");
        assertThat(gold.first()).map(Customer::age).contains(1);
    }

    @Test
    void the_last_window_given_counts() {
        Session session = history();
        var customers = session.entities(Customer.class);

        assertThat(tiers(customers.withHistory().asOf(1).list().stream())).isEqualTo(asOf(session, 1));
        assertThat(customers.asOf(1).historySince(3).count()).isEqualTo(1);
    }

    @Test
    void a_stream_sees_one_state_while_commits_go_on() {
        Session session = open();
        session.ensureAll(IntStream.range(0, 3000).mapToObj(i -> Customer.of("c" + i, "old", i)));
        session.commit();

        long seen = 0;
        try (Stream<Customer> stream = session.entities(Customer.class).stream()) {
            var customers = stream.iterator();
            for (; seen < 10; seen++) {
                assertThat(customers.next().tier()).isEqualTo("old");
            }
            Session other = open();
            other.ensureAll(IntStream.range(0, 4000).mapToObj(i -> Customer.of("c" + i, "new", i)));
            other.commit();
            for (; customers.hasNext(); seen++) {
                assertThat(customers.next().tier()).isEqualTo("old");
            }
        }

        assertThat(seen).isEqualTo(3000);
        assertThat(session.entities(Customer.class)
                        .where(field(Customer::tier).eq("new"))
                        .count())
                .isEqualTo(4000);
    }

    @Test
    void streams_that_are_closed_early_leave_nothing_behind() {
        Session session = open();
        session.ensureAll(IntStream.range(0, 1000).mapToObj(i -> Customer.of("c" + i, "x", i)));
        session.commit();

        for (int i = 0; i < 100; i++) {
            try (Stream<Customer> stream = session.entities(Customer.class).stream()) {
                assertThat(stream.findFirst()).isPresent();
            }
            try (Stream<Customer> unread = session.entities(Customer.class).withHistory().stream()) {
                assertThat(unread).isNotNull();
            }
        }

        assertThat(commit(session, Customer.of("c0", "y", 0))).isEqualTo(2);
        session.close();
    }

    @Test
    void a_query_can_run_while_a_stream_is_open() {
        Session session = history();

        try (Stream<Customer> customers = session.entities(Customer.class).stream()) {
            assertThat(customers.map(customer ->
                            session.find(Customer.class, customer.id()).orElseThrow()))
                    .containsExactlyElementsOf(session.entities(Customer.class).list());
        }
    }

    @Test
    void results_carry_the_time_and_metadata_of_their_commit_when_asked_for() {
        Session session = open();
        session.ensure(Customer.of("c1", "Gold", 1), Customer.of("c2", "Gold", 1));
        session.commit(Map.of("ticket", "OPS-1"));
        tick();
        session.ensure(Customer.of("c2", "Iron", 1));
        session.commit(Map.of("ticket", "OPS-2"));
        var customers = session.entities(Customer.class);

        assertThat(customers.withCommits().results())
                .extracting(result -> result.identity() + " "
                        + result.commit().orElseThrow().id() + " "
                        + result.commit().orElseThrow().metadata().get("ticket"))
                .containsExactly("c1 1 OPS-1", "c2 2 OPS-2");
        assertThat(customers.withCommits().withHistory().results())
                .extracting(result -> result.commit().orElseThrow().at())
                .isSorted()
                .hasSize(3);
        assertThat(customers.withCommits().asOf(1).first()).contains(Customer.of("c1", "Gold", 1));
        assertThat(customers.results())
                .allSatisfy(result -> assertThat(result.commit()).isEmpty());
    }
}
