package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Change;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Identity;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a session promises from {@code ensure} to {@code commit} and {@code preview}; see {@link SessionEndContract} for its end. */
public abstract class SessionContract extends OntologySuite {
    private static final Customer ALICE = Customer.of("c1", "Gold", 32);
    private static final Customer BOB = Customer.of("c2", "Silver", null);

    @Test
    void a_new_store_has_no_commit_and_no_row() {
        Session session = open();

        assertThat(session.head()).isZero();
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(0));
        assertThat(session.entities(Customer.class).list()).isEmpty();
        assertThat(session.find(Customer.class, "c1")).isEmpty();
    }

    @Test
    void what_is_ensured_is_there_after_the_commit_and_not_before() {
        Session session = open();
        session.ensure(ALICE, new Product("p1", "Analytics", 9.5), new Subscription("c1", "p1", 5, true));

        assertThat(session.pending()).isEqualTo(3);
        assertThat(session.entities(Customer.class).list()).isEmpty();
        assertThat(session.head()).isZero();

        CommitResult result = session.commit();

        assertThat(result).isEqualTo(new CommitResult.Committed(1, clock.now(), 3, 0));
        assertThat(session.pending()).isZero();
        assertThat(session.find(Customer.class, "c1")).contains(ALICE);
        assertThat(session.entities(Product.class).list()).containsExactly(new Product("p1", "Analytics", 9.5));
        assertThat(session.relations(Subscription.class).list()).containsExactly(new Subscription("c1", "p1", 5, true));
    }

    @Test
    void commits_are_numbered_from_one_without_gaps_also_after_previews_and_failures() {
        Session session = open();

        assertThat(commit(session, ALICE)).isEqualTo(1);
        session.ensure(BOB);
        session.preview();
        session.preview();
        assertThatThrownBy(() -> session.commit(Map.of("bad", Thread.currentThread())))
                .isInstanceOf(RuntimeException.class);
        session.discard();
        session.ensure(ALICE);
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
        assertThat(commit(session, BOB)).isEqualTo(2);
        assertThat(commit(session, Customer.of("c1", "Iron", 1), Customer.of("c3", "Iron", 1)))
                .isEqualTo(3);
        assertThat(session.log().since(0)).extracting(CommitInfo::id).containsExactly(3L, 2L, 1L);
    }

    @Test
    void a_commit_counts_what_is_new_and_what_changed() {
        Session session = open();
        commit(session, ALICE, BOB);

        session.ensure(ALICE, Customer.of("c2", "Gold", 1), Customer.of("c3", "Gold", 1));
        CommitResult result = session.commit();

        assertThat(result).isEqualTo(new CommitResult.Committed(2, clock.now(), 1, 1));
        assertThat(session.log().get(2)).map(CommitInfo::operations).contains(2L);
    }

    @Test
    void of_two_ensures_of_one_identity_the_later_one_counts() {
        Session session = open();
        session.ensure(ALICE, BOB);
        session.ensure(Customer.of("c1", "Iron", 1));

        assertThat(session.pending()).isEqualTo(2);
        session.commit();

        assertThat(session.find(Customer.class, "c1")).contains(Customer.of("c1", "Iron", 1));
        assertThat(session.entities(Customer.class).withHistory().count()).isEqualTo(2);
    }

    @Test
    void a_change_that_is_taken_back_before_the_commit_is_none() {
        Session session = open();
        commit(session, ALICE);

        session.ensure(Customer.of("c1", "Iron", 1));
        session.ensure(ALICE);

        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
    }

    @Test
    void many_are_ensured_from_a_list_or_a_stream() {
        Session session = open();

        session.ensureAll(List.of(ALICE, BOB));
        session.ensureAll(Stream.of("x", "y", "z").map(id -> Customer.of(id, "Iron", 1)));
        session.commit();

        assertThat(keys(session.entities(Customer.class))).containsExactly("c1", "c2", "x", "y", "z");
    }

    @Test
    void metadata_is_kept_with_the_commit() {
        Session session = open();
        Map<String, Object> metadata = Map.of("why", "import", "tries", 2L, "tags", List.of("a", Map.of("b", true)));

        session.ensure(ALICE);
        session.commit(metadata);
        commit(session, BOB);

        assertThat(session.log().get(1)).map(CommitInfo::metadata).contains(Map.copyOf(metadata));
        assertThat(session.log().get(2)).map(CommitInfo::metadata).contains(Map.of());
    }

    @Test
    void metadata_alone_makes_no_commit() {
        Session session = open();

        assertThat(session.commit(Map.of("why", "nothing"))).isEqualTo(new CommitResult.NothingToDo(0));
        assertThat(session.log().since(0)).isEmpty();
    }

    @Test
    void a_failed_commit_changes_nothing_and_keeps_what_is_pending() {
        Session session = open();
        session.ensure(ALICE);

        assertFails(ErrorKind.INVALID_INPUT, "", () -> session.commit(Map.of("bad", Thread.currentThread())));

        assertThat(session.head()).isZero();
        assertThat(session.pending()).isEqualTo(1);
        assertThat(committed(session.commit())).isEqualTo(1);
    }

    @Test
    void a_preview_says_what_a_commit_would_change_and_changes_nothing() {
        Session session = open();
        commit(session, ALICE, new Subscription("c1", "p1", 1, true));
        session.ensure(ALICE, BOB, Customer.of("c1", "Iron", 32), new Subscription("c1", "p1", 2, true));

        List<Change> changes = session.preview();

        assertThat(changes).hasSize(3);
        Change update = changes.get(0);
        assertThat(update.type()).isEqualTo(TypeRef.entity("Customer"));
        assertThat(update.identity()).isEqualTo(new Identity.OfEntity("c1"));
        assertThat(update.operation()).isEqualTo(Change.Operation.UPDATE_VERSION);
        assertThat(update.before().orElseThrow()).containsEntry("tier", "Gold");
        assertThat(update.after()).containsEntry("tier", "Iron").containsEntry("age", 32L);
        Change insert = changes.get(1);
        assertThat(insert.identity()).isEqualTo(new Identity.OfEntity("c2"));
        assertThat(insert.operation()).isEqualTo(Change.Operation.INSERT);
        assertThat(insert.before()).isEmpty();
        assertThat(changes.get(2).identity()).isEqualTo(new Identity.OfRelation("c1", "p1", ""));
        assertThat(session.head()).isEqualTo(1);
        assertThat(session.find(Customer.class, "c1")).contains(ALICE);
        assertThat(session.pending()).isEqualTo(3);
        assertThat(committed(session.commit())).isEqualTo(2);
        assertThat(session.log().changes(2)).isEqualTo(changes);
    }

    @Test
    void a_session_that_may_only_read_previews_the_same() {
        Session session = open();
        commit(session, ALICE, new Subscription("c1", "p1", 1, true), new Subscription("c1", "p2", 1, true));
        Object[] more = {BOB, Customer.of("c1", "Iron", 32), new Subscription("c1", "p1", 2, true)};
        session.ensure(new Subscription("c1", "p2", 1, true), more);
        SessionOptions reading = options().storage(options().storage().mode(StorageOptions.Mode.READ_ONLY));
        Session reader = keep(Ontologia.open(uri(), reading, Shop.TYPES));
        reader.ensure(new Subscription("c1", "p2", 1, true), more);

        assertThat(reader.preview()).hasSize(3).isEqualTo(session.preview());
        assertThat(reader.head()).isEqualTo(1);
    }

    @Test
    void a_preview_of_nothing_is_empty() {
        Session session = open();
        commit(session, ALICE, new Subscription("c1", "p1", 1, true));

        assertThat(session.preview()).isEmpty();
        session.ensure(ALICE, new Subscription("c1", "p1", 1, true));
        assertThat(session.preview()).isEmpty();
    }

    @Test
    void another_session_sees_a_commit_at_once() {
        Session one = open();
        Session other = open();
        commit(one, ALICE);

        assertThat(other.head()).isEqualTo(1);
        assertThat(other.find(Customer.class, "c1")).contains(ALICE);
        assertThat(commit(other, BOB)).isEqualTo(2);
        assertThat(one.entities(Customer.class).list()).containsExactly(ALICE, BOB);
    }

    @Test
    void a_commit_is_reconciled_with_what_others_committed_meanwhile() {
        Session one = open();
        Session other = open();
        commit(one, ALICE);
        other.ensure(BOB);

        commit(one, BOB);

        assertThat(other.commit()).isEqualTo(new CommitResult.NothingToDo(2));
    }

    @Test
    void of_two_writers_of_one_row_the_later_commit_is_the_latest_and_both_are_kept() {
        Session one = open();
        Session other = open();
        one.ensure(ALICE);
        other.ensure(Customer.of("c1", "Iron", 1));

        one.commit();
        other.commit();

        assertThat(one.find(Customer.class, "c1")).contains(Customer.of("c1", "Iron", 1));
        assertThat(one.entities(Customer.class).withHistory().list())
                .containsExactly(ALICE, Customer.of("c1", "Iron", 1));
    }

    @Test
    void an_instance_key_tells_relations_between_the_same_two_apart() {
        Session session = open();
        commit(session, new Visit("c1", "m1", "monday", 5), new Visit("c1", "m1", "tuesday", 7));

        commit(session, new Visit("c1", "m1", "monday", 6));

        assertThat(session.relations(Visit.class).list())
                .containsExactly(new Visit("c1", "m1", "monday", 6), new Visit("c1", "m1", "tuesday", 7));
    }

    @Test
    void the_time_of_commits_never_runs_backwards() {
        Session session = open();
        Instant start = clock.now();
        commit(session, Customer.of("c1", "a", 1));
        tick();
        commit(session, Customer.of("c1", "b", 1));

        clock.setWallClock(start.minus(Duration.ofHours(1)));
        commit(session, Customer.of("c1", "c", 1));
        clock.setWallClock(start.plusSeconds(5));
        commit(session, Customer.of("c1", "d", 1));

        assertThat(session.log().since(0))
                .extracting(CommitInfo::at)
                .containsExactly(start.plusSeconds(5), start.plusSeconds(1), start.plusSeconds(1), start);
        assertThat(session.entities(Customer.class).asOf(start.plusSeconds(1)).first())
                .map(Customer::tier)
                .contains("c");
    }

    @Test
    void rows_and_records_are_two_ways_to_say_the_same() {
        Session session = open();
        commit(session, ALICE);

        session.ensure(new Row.OfEntity("Customer", "c1", Map.of("name", "Name of c1", "tier", "Gold", "age", 32L)));

        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
        assertThat(session.find("Customer", "c1"))
                .map(Row::fields)
                .hasValueSatisfying(found -> assertThat(found)
                        .containsEntry("id", "c1")
                        .containsEntry("age", 32L)
                        .containsEntry("tags", List.of())
                        .containsEntry("address", null));
    }

    @Test
    void a_store_can_be_used_with_the_types_that_it_knows_itself() {
        commit(open(), ALICE, new Subscription("c1", "p1", 1, true));

        Session stored = keep(Ontologia.openStored(uri(), options()));
        Map<String, Object> alice = Map.of("name", "Name of c1", "tier", "Gold", "age", 32L, "tags", List.of());
        stored.ensure(new Row.OfEntity(
                "Customer",
                "c1",
                fields("address", null, "name", "Name of c1", "tier", "Gold", "age", 32L, "tags", List.of())));

        assertThat(stored.types()).hasSize(Shop.TYPES.length);
        assertThat(stored.commit()).isEqualTo(new CommitResult.NothingToDo(1));
        assertThat(stored.find("Customer", "c1").map(Row::fields))
                .hasValueSatisfying(f -> assertThat(f).containsAllEntriesOf(alice));
        assertThat(keys(stored.relations("Subscription"))).containsExactly("c1 -> p1");
        assertThat(stored.find("Customer", "c2")).isEqualTo(Optional.empty());
    }
}
