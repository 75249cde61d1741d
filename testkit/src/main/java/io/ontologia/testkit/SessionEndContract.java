package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Subscription;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a session ends: by {@code discard} or {@code close}, with its block, and what it refuses afterwards. */
public abstract class SessionEndContract extends OntologySuite {
    private static final Customer ALICE = Customer.of("c1", "Gold", 32);
    private static final Customer BOB = Customer.of("c2", "Silver", null);

    @Test
    void what_is_discarded_is_never_stored() {
        Session session = open();
        session.ensure(ALICE);

        session.discard();

        assertThat(session.pending()).isZero();
        assertThat(session.commit()).isEqualTo(new CommitResult.NothingToDo(0));
    }

    @Test
    void closing_discards_what_is_pending_and_warns() {
        try (Warnings warnings = Warnings.of(Session.class)) {
            try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
                commit(session, ALICE);
                session.ensure(BOB, new Subscription("c1", "p1", 1, true));
            }

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains("2 rows pending")
                    .contains("not stored")
                    .contains("commit()");
        }
        assertThat(open().head()).isEqualTo(1);
        assertThat(open().entities(Customer.class).list()).containsExactly(ALICE);
    }

    @Test
    void a_try_block_that_throws_stores_nothing() {
        try (Warnings warnings = Warnings.of(Session.class)) {
            assertThatThrownBy(() -> {
                        try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
                            session.ensure(ALICE);
                            throw new IllegalStateException("half way");
                        }
                    })
                    .hasMessage("half way");

            assertThat(warnings.messages()).hasSize(1);
        }
        assertThat(open().head()).isZero();
    }

    @Test
    void closing_after_a_failed_commit_stores_nothing_and_warns() {
        try (Warnings warnings = Warnings.of(Session.class)) {
            Session session = open();
            session.ensure(ALICE);
            assertFails(ErrorKind.INVALID_INPUT, "", () -> session.commit(Map.of("bad", Thread.currentThread())));
            session.close();

            assertThat(warnings.messages()).singleElement().asString().contains("1 row pending");
        }
        assertThat(open().head()).isZero();
    }

    @Test
    void closing_without_anything_pending_does_not_warn() {
        try (Warnings warnings = Warnings.of(Session.class)) {
            Session committed = open();
            commit(committed, ALICE);
            committed.close();
            Session discarded = open();
            discarded.ensure(BOB);
            discarded.discard();
            discarded.close();

            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void a_block_that_throws_stores_nothing() {
        try (Warnings warnings = Warnings.of(Session.class)) {
            assertThatThrownBy(() -> Ontologia.with(uri(), options(), List.of(Shop.TYPES), session -> {
                        session.ensure(ALICE);
                        throw new IllegalStateException("half way");
                    }))
                    .hasMessage("half way");

            assertThat(warnings.messages()).isEmpty();
        }
        assertThat(open().head()).isZero();
    }

    @Test
    void a_block_that_returns_is_committed() {
        String result = Ontologia.with(uri(), options(), List.of(Shop.TYPES), session -> {
            session.ensure(ALICE);
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(open().find(Customer.class, "c1")).contains(ALICE);
    }

    @Test
    void a_closed_session_refuses_everything_and_may_be_closed_again() {
        Session session = open();
        var query = session.entities(Customer.class);
        session.close();
        session.close();

        assertFails(ErrorKind.CLOSED, "closed", () -> session.ensure(ALICE));
        assertFails(ErrorKind.CLOSED, "closed", session::commit);
        assertFails(ErrorKind.CLOSED, "closed", session::preview);
        assertFails(ErrorKind.CLOSED, "closed", session::head);
        assertFails(ErrorKind.CLOSED, "closed", session::log);
        assertFails(ErrorKind.CLOSED, "closed", () -> session.entities(Customer.class));
        assertFails(ErrorKind.CLOSED, "closed", () -> session.find(Customer.class, "c1"));
        assertFails(ErrorKind.CLOSED, "closed", query::list);
        assertFails(ErrorKind.CLOSED, "closed", query::count);
    }
}
