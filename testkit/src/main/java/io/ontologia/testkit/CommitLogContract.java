package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Author;
import io.ontologia.core.Change;
import io.ontologia.core.CommitFilter;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitLog;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The log of commits, what each did, and what changed between two. */
public abstract class CommitLogContract extends OntologySuite {

    /** Commit 1: c1, c2, p1; 2: c1 changes, a subscription; 3: c1 changes back, c3; 4: c3 and the subscription change. */
    private CommitLog log() {
        Session session = open();
        session.ensure(Customer.of("c2", "Iron", 1), Customer.of("c1", "Gold", 1), new Product("p1", "n", 1));
        session.commit(Map.of("by", "first"));
        tick();
        commit(session, Customer.of("c1", "Silver", 1), new Subscription("c1", "p1", 1, true));
        tick();
        session.ensure(Customer.of("c1", "Gold", 1), Customer.of("c3", "Iron", 1));
        session.commit(Map.of("by", "third"));
        tick();
        commit(session, Customer.of("c3", "Lead", 1), new Subscription("c1", "p1", 2, true));
        return session.log();
    }

    private static List<String> texts(List<Change> changes) {
        return changes.stream()
                .map(change -> change.operation().wireName() + " " + change.type() + " " + change.identity())
                .toList();
    }

    @Test
    void commits_are_listed_newest_first() {
        CommitLog log = log();

        assertThat(log.last(2)).extracting(CommitInfo::id).containsExactly(4L, 3L);
        assertThat(log.last(100)).extracting(CommitInfo::id).containsExactly(4L, 3L, 2L, 1L);
        assertThat(log.last(0)).isEmpty();
        assertThat(log.since(0)).isEqualTo(log.last(4));
        assertThat(log.since(2)).extracting(CommitInfo::id).containsExactly(4L, 3L);
        assertThat(log.since(4)).isEmpty();
        assertThat(log.since(99)).isEmpty();
        assertFails(ErrorKind.INVALID_INPUT, "negative", () -> log.last(-1));
    }

    @Test
    void an_empty_store_has_an_empty_log() {
        CommitLog log = open().log();

        assertThat(log.last(10)).isEmpty();
        assertThat(log.since(0)).isEmpty();
        assertThat(log.get(1)).isEmpty();
        assertFails(ErrorKind.NOT_FOUND, "unknown commit 1", () -> log.changes(1));
    }

    @Test
    void an_entry_says_when_how_much_and_what_the_writer_said() {
        CommitLog log = log();

        assertThat(log.get(1).map(CommitLogContract::withoutDigest))
                .contains(new CommitInfo(1, SettableClock.START, 3, Map.of("by", "first")));
        assertThat(log.get(2).map(CommitLogContract::withoutDigest))
                .contains(new CommitInfo(2, SettableClock.START.plusSeconds(1), 2, Map.of()));
        assertThat(log.get(5)).isEmpty();
        assertThat(log.get(0)).isEmpty();
        assertThat(log.get(-1)).isEmpty();
    }

    @Test
    void the_changes_of_a_commit_come_by_kind_type_and_identity() {
        CommitLog log = log();

        assertThat(texts(log.changes(1)))
                .containsExactly("insert entity Customer c1", "insert entity Customer c2", "insert entity Product p1");
        assertThat(texts(log.changes(2)))
                .containsExactly("update_version entity Customer c1", "insert relation Subscription c1 -> p1");
        assertThat(texts(log.changes(4)))
                .containsExactly("update_version entity Customer c3", "update_version relation Subscription c1 -> p1");
        assertFails(ErrorKind.NOT_FOUND, "unknown commit 5", () -> log.changes(5));
        assertFails(ErrorKind.NOT_FOUND, "unknown commit 0", () -> log.changes(0));
    }

    @Test
    void a_change_has_the_fields_before_and_after() {
        CommitLog log = log();

        Change update = log.changes(2).get(0);
        Change insert = log.changes(2).get(1);

        assertThat(update.type()).isEqualTo(TypeRef.entity("Customer"));
        assertThat(update.identity()).isEqualTo(new Identity.OfEntity("c1"));
        assertThat(update.before().orElseThrow()).containsEntry("tier", "Gold");
        assertThat(update.after()).containsEntry("tier", "Silver");
        assertThat(insert.before()).isEmpty();
        assertThat(insert.after()).isEqualTo(Map.of("seat_count", 1L, "active", true));
    }

    @Test
    void a_difference_has_one_change_for_each_row_that_differs() {
        CommitLog log = log();

        assertThat(texts(log.diff(1, 2)))
                .containsExactly("update_version entity Customer c1", "insert relation Subscription c1 -> p1");
        assertThat(texts(log.diff(2, 4)))
                .containsExactlyInAnyOrder(
                        "update_version entity Customer c1",
                        "insert entity Customer c3",
                        "update_version relation Subscription c1 -> p1");
        assertThat(log.diff(3, 3)).isEmpty();
    }

    @Test
    void a_row_that_changed_and_changed_back_is_no_difference() {
        CommitLog log = log();

        assertThat(texts(log.diff(1, 3)))
                .containsExactlyInAnyOrder("insert relation Subscription c1 -> p1", "insert entity Customer c3");
    }

    @Test
    void the_difference_to_nothing_is_everything_as_it_is_now() {
        CommitLog log = log();

        List<Change> all = log.diff(0, 4);

        assertThat(texts(all))
                .containsExactlyInAnyOrder(
                        "insert entity Customer c1",
                        "insert entity Customer c2",
                        "insert entity Customer c3",
                        "insert entity Product p1",
                        "insert relation Subscription c1 -> p1");
        assertThat(all)
                .filteredOn(change -> change.identity().equals(new Identity.OfEntity("c3")))
                .singleElement()
                .satisfies(change -> assertThat(change.after()).containsEntry("tier", "Lead"));
        assertThat(all).allMatch(change -> change.before().isEmpty());
    }

    @Test
    void commits_that_cannot_be_compared_are_refused() {
        CommitLog log = log();

        assertFails(ErrorKind.NOT_FOUND, "unknown commit 9", () -> log.diff(1, 9));
        assertFails(ErrorKind.NOT_FOUND, "unknown commit 9", () -> log.diff(9, 9));
        assertFails(ErrorKind.NOT_FOUND, "unknown commit -1", () -> log.diff(-1, 2));
        assertFails(ErrorKind.NOT_FOUND, "unknown commit 0", () -> log.diff(0, 0));
        assertFails(ErrorKind.INVALID_INPUT, "swap them", () -> log.diff(3, 2));
    }

    private Session openAs(Author author) {
        return keep(Ontologia.open(uri(), options().author(author), Shop.TYPES));
    }

    @Test
    void a_commit_records_its_author_and_its_reason() {
        Session ann = openAs(Author.named("ann@laptop"));

        ann.ensure(Customer.of("c1", "Gold", 1));
        ann.commit(Map.of("ticket", 7L));
        ann.ensure(Customer.of("c1", "Iron", 1));
        ann.commit(Map.of("reason", "downgrade"));
        ann.ensure(Customer.of("c1", "Lead", 1));
        ann.commit(Map.of("author", "import of bob"));

        CommitLog log = open().log();
        assertThat(log.get(1).orElseThrow().metadata()).isEqualTo(Map.of("ticket", 7L, "author", "ann@laptop"));
        assertThat(log.since(0))
                .extracting(commit ->
                        commit.author().orElse("") + ", " + commit.reason().orElse(""))
                .containsExactly("import of bob, ", "ann@laptop, downgrade", "ann@laptop, ");
    }

    @Test
    void without_an_author_the_metadata_is_what_the_caller_gave() {
        Session session = openAs(Author.none());

        commit(session, Customer.of("c1", "Gold", 1));

        CommitInfo commit = session.log().get(1).orElseThrow();
        assertThat(commit.metadata()).isEmpty();
        assertThat(commit.author()).isEmpty();
        assertThat(commit.reason()).isEmpty();
    }

    @Test
    void an_author_is_part_of_the_digest_and_breaks_no_check() {
        commit(openAs(Author.named("ann")), Customer.of("c1", "Gold", 1));
        commit(openAs(Author.named("bob")), Customer.of("c1", "Iron", 1));

        try (Maintenance maintenance = Ontologia.maintain(uri(), options())) {
            assertThat(maintenance.check((step, done, total) -> {})).isEmpty();
        }
    }

    /** Commits 1 to 6, a second apart, by ann and bob in turns; see the list below. */
    private CommitLog shared() {
        Session ann = openAs(Author.named("ann@laptop"));
        Session bob = openAs(Author.named("bob"));
        List<List<Object>> commits = List.of(
                List.of(Customer.of("c1", "a", 1), new Product("p1", "n", 1)),
                List.of(Customer.of("c2", "a", 1)),
                List.of(new Subscription("c1", "p1", 1, true), new Subscription("c1", "p2", 1, true)),
                List.of(Customer.of("c1", "b", 1)),
                List.of(new Subscription("c1", "p1", 2, true)),
                List.of(new Product("p1", "m", 1)));
        for (int i = 0; i < commits.size(); i++) {
            Session session = i % 2 == 0 ? ann : bob;
            session.ensureAll(commits.get(i));
            session.commit(Map.of("number", (long) i));
            tick();
        }
        return open().log();
    }

    private static List<Long> ids(CommitLog log, CommitFilter filter) {
        return log.find(filter).stream().map(CommitInfo::id).toList();
    }

    @Test
    void commits_are_found_by_author_and_metadata() {
        CommitLog log = shared();
        CommitFilter all = CommitFilter.all();

        assertThat(ids(log, all)).containsExactly(6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(ids(log, all.author("ann@laptop"))).containsExactly(5L, 3L, 1L);
        assertThat(ids(log, all.author("ann"))).containsExactly(5L, 3L, 1L);
        assertThat(ids(log, all.author("an"))).isEmpty();
        assertThat(ids(log, all.author("bob").limit(2))).containsExactly(6L, 4L);
        assertThat(ids(log, all.metadata("number", 3L))).containsExactly(4L);
        assertThat(ids(log, all.metadata("number", 3L).author("ann"))).isEmpty();
    }

    @Test
    void commits_are_found_by_place_and_time() {
        CommitLog log = shared();
        CommitFilter all = CommitFilter.all();
        Instant third = SettableClock.START.plusSeconds(2);

        assertThat(ids(log, all.after(4))).containsExactly(6L, 5L);
        assertThat(ids(log, all.upTo(2))).containsExactly(2L, 1L);
        assertThat(ids(log, all.from(third))).containsExactly(6L, 5L, 4L, 3L);
        assertThat(ids(log, all.from(third.plusNanos(1)))).containsExactly(6L, 5L, 4L);
        assertThat(ids(log, all.until(third))).containsExactly(3L, 2L, 1L);
        assertThat(ids(log, all.until(third.minusNanos(1)))).containsExactly(2L, 1L);
        assertThat(ids(log, all.from(third).until(third))).containsExactly(3L);
        assertThat(ids(log, all.from(third).until(third.minusSeconds(1)))).isEmpty();
        assertThat(ids(log, all.from(third.minusSeconds(100)).limit(1))).containsExactly(6L);
        assertFails(ErrorKind.INVALID_INPUT, "negative", () -> all.after(-1));
    }

    @Test
    void commits_are_found_by_type_and_row() {
        CommitLog log = shared();
        CommitFilter all = CommitFilter.all();
        TypeRef customer = TypeRef.entity("Customer");
        TypeRef product = TypeRef.entity("Product");
        TypeRef subscription = TypeRef.relation("Subscription");

        assertThat(ids(log, all.types(Set.of(customer)))).containsExactly(4L, 2L, 1L);
        assertThat(ids(log, all.types(Set.of(product, subscription)))).containsExactly(6L, 5L, 3L, 1L);
        assertThat(ids(log, all.types(Set.of(TypeRef.entity("Maker"))))).isEmpty();
        assertThat(ids(log, all.row(customer, new Identity.OfEntity("c1")))).containsExactly(4L, 1L);
        assertThat(ids(log, all.row(customer, new Identity.OfEntity("c1")).author("bob")))
                .containsExactly(4L);
        assertThat(ids(log, all.row(customer, new Identity.OfEntity("c1")).upTo(3)))
                .containsExactly(1L);
        assertThat(ids(log, all.row(customer, new Identity.OfEntity("c9")))).isEmpty();
        assertThat(ids(log, all.row(subscription, new Identity.OfRelation("c1", "p1", ""))))
                .containsExactly(5L, 3L);
        assertThat(ids(log, all.row(subscription, new Identity.OfRelation("c1", "p2", ""))))
                .containsExactly(3L);
        assertFails(ErrorKind.INVALID_INPUT, "whose type", () -> all.row(subscription, new Identity.OfEntity("c1")));
    }

    @Test
    void commits_are_fetched_by_their_ids() {
        CommitLog log = shared();

        assertThat(log.get(Set.of(2L, 5L, 99L))).containsOnlyKeys(2L, 5L);
        assertThat(log.get(Set.of(5L)).get(5L)).isEqualTo(log.get(5).orElseThrow());
        assertThat(log.get(Set.of())).isEmpty();
    }

    private static CommitInfo withoutDigest(CommitInfo commit) {
        return new CommitInfo(commit.id(), commit.at(), commit.operations(), commit.metadata());
    }
}
