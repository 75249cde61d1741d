package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Cascade;
import io.ontologia.core.Change;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Fields;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How rows end: in queries of the present, the past and the history, in the log, and with their relations. */
public abstract class RetractionContract extends OntologySuite {
    private static final Customer ALICE = Customer.of("c1", "Gold", 32);
    private static final Customer BOB = Customer.of("c2", "Silver", 40);
    private static final Product ANALYTICS = new Product("p1", "Analytics", 9.5);
    private static final Subscription SUBSCRIPTION = new Subscription("c1", "p1", 5, true);

    @Test
    void a_retracted_entity_is_gone_from_the_present_and_stays_in_the_past() {
        Session session = open();
        commit(session, ALICE, BOB);
        session.retract(Customer.class, "c1");

        CommitResult result = session.commit();

        assertThat(result).isEqualTo(new CommitResult.Committed(2, clock.now(), 0, 0, 1));
        assertThat(session.find(Customer.class, "c1")).isEmpty();
        assertThat(session.entities(Customer.class).list()).containsExactly(BOB);
        assertThat(session.entities(Customer.class).count()).isEqualTo(1);
        assertThat(session.entities("Customer").aggregate(Aggregate.count("n"))).containsExactly(Map.of("n", 1L));
        assertThat(session.entities(Customer.class)
                        .where(Fields.field(Customer::tier).eq("Gold"))
                        .list())
                .isEmpty();
        assertThat(session.entities(Customer.class).where(Fields.key().eq("c1")).count())
                .isZero();
        assertThat(session.findAsOf(Customer.class, "c1", 1)).contains(ALICE);
        assertThat(session.findAsOf(Customer.class, "c1", 2)).isEmpty();
        assertThat(session.entities(Customer.class).asOf(1).list()).containsExactly(ALICE, BOB);
        assertThat(session.entities(Customer.class).asOf(2).list()).containsExactly(BOB);
        assertThat(session.entities(Customer.class).asOf(2).count()).isEqualTo(1);
        assertThat(session.entities("Customer").asOf(2).aggregate(Aggregate.count("n")))
                .containsExactly(Map.of("n", 1L));
        assertThat(session.entities("Customer").asOf(1).aggregate(Aggregate.count("n")))
                .containsExactly(Map.of("n", 2L));
    }

    @Test
    void the_history_shows_by_which_commit_a_row_ended_and_came_back() {
        Session session = open();
        commit(session, ALICE, BOB);
        session.retract(Customer.class, "c1");
        committed(session.commit());
        Customer back = Customer.of("c1", "Basic", 33);
        commit(session, back);

        List<Result<Customer>> history = session.findHistory(Customer.class, "c1");

        assertThat(history).extracting(Result::commitId).containsExactly(1L, 2L, 3L);
        assertThat(history).extracting(Result::isEnd).containsExactly(false, true, false);
        assertThat(history.get(0).value()).isEqualTo(ALICE);
        assertThat(history.get(2).value()).isEqualTo(back);
        assertFails(ErrorKind.NOT_FOUND, "commit 2 retracted it", history.get(1)::value);
        assertThat(session.find(Customer.class, "c1")).contains(back);
        assertThat(session.findAsOf(Customer.class, "c1", 2)).isEmpty();
        assertThat(session.entities(Customer.class).withHistory().results())
                .extracting(Result::commitId)
                .containsExactly(1L, 1L, 2L, 3L);
        assertThat(session.entities(Customer.class).withHistory().list()).containsExactly(ALICE, BOB, back);
        assertThat(session.entities(Customer.class).withHistory().count()).isEqualTo(4);
        assertThat(session.entities(Customer.class).historySince(1).results())
                .extracting(Result::isEnd)
                .containsExactly(true, false);
        assertThat(session.entities(Customer.class)
                        .where(Fields.field(Customer::age).isNull())
                        .withHistory()
                        .results())
                .as("the end of a row has no fields to be tested")
                .isEmpty();
    }

    @Test
    void what_ended_can_come_back_with_the_same_values() {
        Session session = open();
        commit(session, ALICE);
        session.retract(Customer.class, "c1");
        committed(session.commit());
        session.ensure(ALICE);

        assertThat(session.preview()).extracting(Change::operation).containsExactly(Change.Operation.INSERT);
        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(3, clock.now(), 1, 0, 0));
        assertThat(session.find(Customer.class, "c1")).contains(ALICE);
    }

    @Test
    void to_retract_what_is_not_there_is_nothing_to_do() {
        Session session = open();
        commit(session, ALICE);
        session.retract(Customer.class, "unknown");
        session.retract(Subscription.class, "c1", "p1");

        assertThat(session.preview()).isEmpty();
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));

        session.retract(Customer.class, "c1");
        committed(session.commit());
        session.retract(Customer.class, "c1");
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(2));
    }

    @Test
    void the_later_of_ensure_and_retract_counts() {
        Session session = open();
        commit(session, ALICE);
        session.retract(Customer.class, "c1");
        session.ensure(ALICE);
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));

        session.ensure(BOB);
        session.retract(Customer.class, "c2");
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(1));
    }

    @Test
    void a_relation_is_retracted_by_its_keys() {
        Session session = open();
        commit(
                session,
                new Visit("c1", "m1", "monday", 5),
                new Visit("c1", "m1", "tuesday", 6),
                SUBSCRIPTION,
                new Subscription("c2", "p1", 1, true));
        session.retract(Visit.class, "c1", "m1", "monday");
        session.retract(Cascade.NONE, RowRef.relation("Subscription", "c1", "p1"));

        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(2, clock.now(), 0, 0, 2));

        assertThat(session.relations(Visit.class).list()).containsExactly(new Visit("c1", "m1", "tuesday", 6));
        assertThat(keys(session.relations(Subscription.class))).containsExactly("c2 -> p1");
        assertThat(keys(session.relations("Subscription")
                        .where(Fields.rightKey().eq("p1"))))
                .containsExactly("c2 -> p1");
        assertThat(keys(session.relations("Subscription")
                        .where(Fields.rightKey().eq("p1"))
                        .asOf(1)))
                .as("by the right key, as of a commit at which it was there")
                .containsExactly("c1 -> p1", "c2 -> p1");
        assertThat(session.relations("Subscription")
                        .where(Fields.rightKey().eq("p1"))
                        .withHistory()
                        .results())
                .extracting(Result::isEnd)
                .containsExactly(false, false, true);
    }

    @Test
    void the_log_and_a_difference_say_what_ended() {
        Session session = open();
        commit(session, ALICE, BOB);
        commit(session, Customer.of("c1", "Basic", 32));
        session.retract(Customer.class, "c1");
        session.retract(Customer.class, "c2");
        committed(session.commit());
        commit(session, BOB, Customer.of("c3", "Gold", 1));
        session.retract(Customer.class, "c3");
        committed(session.commit());

        List<Change> changes = session.log().changes(3);
        assertThat(changes).extracting(Change::operation).containsOnly(Change.Operation.RETRACT);
        assertThat(changes).extracting(change -> change.identity().toString()).containsExactly("c1", "c2");
        assertThat(changes.get(0).before().orElseThrow()).containsEntry("tier", "Basic");
        assertThat(changes.get(0).after()).isEmpty();
        assertThat(session.log().changes(4)).extracting(Change::operation).containsOnly(Change.Operation.INSERT);
        assertThat(session.log().changes(4)).allMatch(change -> change.before().isEmpty());
        assertThat(session.log().get(3).orElseThrow().operations()).isEqualTo(2);

        List<Change> net = session.log().diff(1, 5);
        assertThat(net).singleElement().satisfies(change -> {
            assertThat(change.operation()).isEqualTo(Change.Operation.RETRACT);
            assertThat(change.identity()).isEqualTo(new Identity.OfEntity("c1"));
            assertThat(change.before().orElseThrow()).containsEntry("tier", "Gold");
        });
        assertThat(session.log().diff(0, 5))
                .singleElement()
                .satisfies(change -> assertThat(change.operation()).isEqualTo(Change.Operation.INSERT));
        assertThat(session.log().diff(3, 4)).hasSize(2);
    }

    @Test
    void an_entity_with_relations_is_not_retracted_alone() {
        Session session = open();
        commit(session, ALICE, ANALYTICS, SUBSCRIPTION);

        for (RowRef end : List.of(RowRef.entity("Customer", "c1"), RowRef.entity("Product", "p1"))) {
            session.retract(Cascade.NONE, end);
            assertFails(
                    ErrorKind.CONFLICT, "relation Subscription 'c1 -> p1' still has it at one end", session::commit);
            assertFails(ErrorKind.CONFLICT, "still has it at one end", session::preview);
            session.discard();
        }
        assertThat(session.head()).isEqualTo(1);

        session.retract(Customer.class, "c1");
        session.retract(Subscription.class, "c1", "p1");
        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(2, clock.now(), 0, 0, 2));
        session.retract(Product.class, "p1");
        committed(session.commit());
        assertThat(session.entities(Product.class).count()).isZero();
    }

    @Test
    void a_cascade_takes_the_relations_of_the_entity_along() {
        Session session = open();
        commit(session, ALICE, BOB, ANALYTICS, SUBSCRIPTION, new Subscription("c2", "p1", 1, false));
        commit(session, new Visit("c1", "m1", "monday", 5), new Visit("c2", "m1", "monday", 5));
        session.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c1"));

        assertThat(session.preview())
                .extracting(change -> change.type() + " " + change.identity())
                .containsExactlyInAnyOrder(
                        "entity Customer c1", "relation Subscription c1 -> p1", "relation Visit c1 -> m1 [monday]");
        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(3, clock.now(), 0, 0, 3));
        assertThat(keys(session.relations(Subscription.class))).containsExactly("c2 -> p1");
        assertThat(keys(session.relations(Visit.class))).containsExactly("c2 -> m1 [monday]");
        assertThat(keys(session.relations(Visit.class).asOf(2))).hasSize(2);
    }

    @Test
    void a_session_that_only_knows_the_entity_cascades_to_relations_of_other_types() {
        commit(open(), ALICE, ANALYTICS, SUBSCRIPTION);
        Session some = open(Customer.class);
        some.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c1"));

        assertThat(some.commit()).isEqualTo(new CommitResult.Committed(2, clock.now(), 0, 0, 2));
        assertThat(open().relations(Subscription.class).list()).isEmpty();
    }

    @Test
    void one_commit_does_not_write_a_relation_to_an_entity_that_it_retracts() {
        Session session = open();
        commit(session, ALICE, ANALYTICS);
        session.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c1"));
        session.ensure(SUBSCRIPTION);

        assertFails(ErrorKind.CONFLICT, "the same commit writes", session::commit);
    }

    @Test
    void many_rows_end_at_once() {
        Session session = open();
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            rows.add(Customer.of("c" + i, i % 2 == 0 ? "Gold" : "Silver", i));
            rows.add(new Subscription("c" + i, "p1", i, true));
        }
        session.ensureAll(rows);
        committed(session.commit());
        for (int i = 0; i < 300; i += 3) {
            session.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c" + i));
        }
        for (int i = 1; i < 300; i += 3) {
            session.ensure(Customer.of("c" + i, "Basic", i));
        }
        session.ensure(Customer.of("c999", "Gold", 1));

        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(2, clock.now(), 1, 100, 200));
        assertThat(session.entities(Customer.class).count()).isEqualTo(201);
        assertThat(session.relations(Subscription.class).count()).isEqualTo(200);
        assertThat(session.entities(Customer.class)
                        .where(Fields.field(Customer::tier).eq("Basic"))
                        .count())
                .isEqualTo(100);

        session.ensureAll(rows);
        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(3, clock.now(), 200, 100, 0));
        for (int i = 0; i < 300; i++) {
            session.retract(Subscription.class, "c" + i, "p1");
        }
        assertThat(session.commit()).isEqualTo(new CommitResult.Committed(4, clock.now(), 0, 0, 300));
        assertThat(session.relations(Subscription.class).count()).isZero();
        assertThat(session.relations(Subscription.class).asOf(2).count()).isEqualTo(200);
        assertThat(open().relations(Subscription.class).list()).isEmpty();
    }

    @Test
    void ends_of_relations_that_ended_are_not_there_for_filters() {
        Session session = open();
        commit(session, ALICE, BOB, SUBSCRIPTION, new Subscription("c2", "p1", 1, true));
        session.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c1"));
        committed(session.commit());
        commit(session, SUBSCRIPTION);

        assertThat(keys(session.relations("Subscription")
                        .where(Fields.left(Customer::tier).in(List.of("Gold", "Silver")))))
                .containsExactly("c2 -> p1");
        assertThat(keys(session.relations("Subscription")
                        .where(Fields.left(Customer::tier).in(List.of("Gold", "Silver")))
                        .asOf(1)))
                .containsExactly("c1 -> p1", "c2 -> p1");
        assertThat(keys(session.relations("Subscription")
                        .where(Fields.left(Customer::tier).in(List.of("Gold", "Silver")))
                        .asOf(3)))
                .containsExactly("c2 -> p1");
        assertThat(session.traverse("Customer").via("Subscription").list())
                .singleElement()
                .satisfies(path -> assertThat(path.source().identity()).hasToString("c2"));
    }

    @Test
    void a_check_finds_relations_whose_end_was_retracted_and_nothing_else() {
        Session session = open();
        commit(session, ALICE, BOB, ANALYTICS, SUBSCRIPTION);
        session.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c1"));
        committed(session.commit());
        assertThat(serious(session)).isEmpty();

        commit(session, SUBSCRIPTION, new Subscription("never", "p1", 1, true));

        assertThat(serious(session)).singleElement().satisfies(finding -> {
            assertThat(finding.code()).isEqualTo("dangling-relation");
            assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING);
            assertThat(finding.count()).isEqualTo(1);
            assertThat(finding.example()).isEqualTo("relation Subscription 'c1 -> p1'");
        });
    }

    private static List<Finding> serious(Session session) {
        return session.storage().check(Progress.none()).stream()
                .filter(finding -> finding.severity() != Finding.Severity.INFO)
                .toList();
    }

    @Test
    void a_session_that_may_only_read_previews_retractions() {
        commit(open(), ALICE, ANALYTICS, SUBSCRIPTION);
        SessionOptions reading = options().storage(options().storage().mode(StorageOptions.Mode.READ_ONLY));
        Session session = keep(Ontologia.open(uri(), reading, Shop.TYPES));
        session.retract(Cascade.RELATIONS, RowRef.entity("Customer", "c1"));
        session.retract(Customer.class, "unknown");

        assertThat(session.preview()).extracting(Change::operation).containsOnly(Change.Operation.RETRACT);
        assertThat(session.preview()).hasSize(2);
        session.discard();
        session.retract(Customer.class, "c1");
        assertFails(ErrorKind.CONFLICT, "still has it at one end", session::preview);
    }

    @Test
    void information_counts_rows_that_are_there_and_all_versions() {
        Session session = open();
        commit(session, ALICE, BOB);
        session.retract(Customer.class, "c1");
        committed(session.commit());

        StorageInfo info = session.storage().info(StorageInfo.Detail.ROW_COUNTS);
        assertThat(info.rows().get(TypeRef.entity("Customer"))).isEqualTo(new StorageInfo.RowCounts(1, 3));
    }

    @Test
    void another_session_sees_ends_after_small_commits_too() {
        Session writer = open();
        for (int i = 0; i < 50; i++) {
            commit(writer, Customer.of("c" + i, "Gold", i));
        }
        for (int i = 0; i < 40; i++) {
            writer.retract(Customer.class, "c" + i);
            committed(writer.commit());
        }
        writer.ensure(Customer.of("c0", "Basic", 0));
        committed(writer.commit());

        SessionOptions reading = options().storage(options().storage().mode(StorageOptions.Mode.READ_ONLY));
        for (Session session : List.of(keep(Ontologia.open(uri(), reading, Shop.TYPES)), writer, open())) {
            assertThat(session.entities(Customer.class).count()).isEqualTo(11);
            assertThat(session.entities(Customer.class).asOf(60).count()).isEqualTo(40);
            assertThat(session.find(Customer.class, "c1")).isEmpty();
            assertThat(session.find(Customer.class, "c0")).isPresent();
        }
    }

    @Test
    void a_commit_on_rows_that_changed_since_is_refused() {
        Session session = open();
        commit(session, ALICE, BOB);
        commit(session, Customer.of("c2", "Gold", 41));

        session.ifUnchangedSince(1, RowRef.entity("Customer", "c2"));
        session.ensure(Customer.of("c2", "Basic", 42));
        assertFails(
                ErrorKind.CONFLICT,
                "entity Customer 'c2' is not as it was at commit 1: commit 2 wrote it",
                session::commit);
        session.discard();

        session.ifUnchangedSince(1, RowRef.entity("Customer", "c1"), RowRef.entity("Customer", "new"));
        session.ensure(Customer.of("c1", "Basic", 42), Customer.of("new", "Basic", 1));
        assertThat(committed(session.commit())).isEqualTo(3);

        session.ifUnchangedSince(2, RowRef.entity("Customer", "new"));
        session.ensure(Customer.of("new", "Gold", 1));
        assertFails(ErrorKind.CONFLICT, "commit 3 wrote it", session::commit);
        session.discard();

        session.retract(Customer.class, "c1");
        committed(session.commit());
        session.ifUnchangedSince(3, RowRef.entity("Customer", "c1"));
        session.ensure(Customer.of("c1", "Gold", 1));
        assertFails(ErrorKind.CONFLICT, "it was retracted", session::commit);
        session.discard();
        session.ifUnchangedSince(4, RowRef.entity("Customer", "c1"));
        session.ensure(Customer.of("c1", "Gold", 1));
        assertThat(committed(session.commit())).isEqualTo(5);
    }

    @Test
    void expectations_hold_for_relations_and_for_the_whole_store_and_for_one_commit() {
        Session session = open();
        commit(session, SUBSCRIPTION);
        commit(session, new Subscription("c1", "p1", 9, true));
        session.ifUnchangedSince(1, RowRef.relation("Subscription", "c1", "p1"));
        assertFails(ErrorKind.CONFLICT, "commit 2 wrote it", session::commit);
        session.ensure(SUBSCRIPTION);
        assertFails(ErrorKind.CONFLICT, "commit 2 wrote it", session::commit);
        session.discard();

        session.ifUnchangedSince(1);
        session.ensure(ALICE);
        assertThatThrownBy(session::commit)
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("the newest commit is 2 and not 1");
        session.discard();

        session.ifUnchangedSince(2);
        assertThat(commit(session, ALICE)).isEqualTo(3);
        assertThat(commit(session, BOB)).as("it is forgotten with the commit").isEqualTo(4);
    }

    @Test
    void a_row_without_a_class_ends_as_well() {
        Session session = openThings();
        commit(session, thing("a", "v", 1L), thing("b"), link("a", "b"));
        session.retract(Cascade.RELATIONS, RowRef.entity("Thing", "b"));
        committed(session.commit());

        assertThat(session.find("Thing", "b")).isEmpty();
        assertThat(session.relations("Link").count()).isZero();
        List<Result<Row>> history = session.findHistory("Thing", "b");
        assertThat(history).hasSize(2);
        assertThat(history.get(1).isEnd()).isTrue();
        assertFails(
                ErrorKind.NOT_FOUND,
                "unknown entity Nothing",
                () -> session.retract(Cascade.NONE, RowRef.entity("Nothing", "x")));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "it is no identity of a relation",
                () -> session.retract(Cascade.NONE, new RowRef(TypeRef.relation("Link"), new Identity.OfEntity("x"))));
        assertThat(session.entities("Thing")
                        .withHistory()
                        .where(Fields.key().eq("b"))
                        .first())
                .isEqualTo(Optional.of(history.get(0).value()));
    }
}
