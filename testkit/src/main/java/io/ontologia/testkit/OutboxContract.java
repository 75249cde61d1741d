package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimLostException;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Event;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Outbox;
import io.ontologia.core.Session;
import io.ontologia.core.spi.SchemaOutdatedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events that are enqueued if and only if their commit is made, and commits that are made only for a live claim. */
public abstract class OutboxContract extends EventSuite {
    @Test
    void an_event_is_enqueued_with_its_commit() {
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");

            CommitResult result = session.commit(Map.of(), Outbox.of(order(1), order(2).priority(500)));

            CommitResult.Committed committed = (CommitResult.Committed) result;
            List<Claim> claims = claimAll();
            assertThat(claims)
                    .extracting(claim -> claim.event().payloadJson())
                    .containsExactly("{\"n\":2}", "{\"n\":1}");
            assertThat(claims)
                    .allSatisfy(claim -> assertThat(claim.event().createdAt()).isEqualTo(committed.at()));
        }
    }

    @Test
    void without_a_commit_there_is_no_event() {
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");
            session.commit(Map.of(), Outbox.of(order(1)));
            want(session, "c1", "Alice");

            CommitResult same = session.commit(Map.of(), Outbox.of(order(2)));
            CommitResult nothing = session.commit(Map.of(), Outbox.of(order(3)));

            assertThat(same).isInstanceOf(CommitResult.NothingToDo.class);
            assertThat(nothing).isInstanceOf(CommitResult.NothingToDo.class);
            assertThat(claimAll())
                    .extracting(claim -> claim.event().payloadJson())
                    .containsExactly("{\"n\":1}");
        }
    }

    @Test
    void a_commit_that_is_refused_enqueues_nothing() {
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");
            // Longer than the lock is kept by whoever registered the type.
            pass(Duration.ofMinutes(1));
            try (var maintenance = maintain()) {
                var drop = maintenance.drop(CUSTOMER.ref());
                drop.apply(drop.preview().token(), Map.of());
            }

            assertThatThrownBy(() -> session.commit(Map.of(), Outbox.of(order(1))))
                    .isInstanceOf(SchemaOutdatedException.class);

            assertThat(bus().list(NS, 10)).isEmpty();
            session.discard();
        }
    }

    @Test
    void a_commit_for_a_live_claim_is_made_and_the_claim_goes_on() {
        Event cause = enqueue(order(1));
        Claim claim = claimOne();
        pass(OPTIONS.claimLease().minusSeconds(1));
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");

            CommitResult result = session.commit(
                    Map.of(),
                    Outbox.of(NewEvent.of(NS, "billed", Map.of()).causedBy(cause))
                            .onBehalfOf(claim));

            assertThat(result).isInstanceOf(CommitResult.Committed.class);
            ack(claim);
            assertThat(listed("billed").rootEventId()).isEqualTo(cause.id());
            assertThat(listed("billed").chainDepth()).isEqualTo(1);
        }
    }

    @Test
    void a_commit_for_a_lost_claim_is_refused_and_enqueues_nothing() {
        enqueue(order(1));
        Claim claim = claimOne();
        pass(OPTIONS.claimLease());
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");

            assertRefused(session, claim);
            List<Claim> taken = anotherBus().claim(wanted("worker-2", HANDLER, 1));
            assertRefused(session, claim);
            session.commit(Map.of(), Outbox.none().onBehalfOf(taken.get(0)));

            assertThat(session.head()).isEqualTo(1);
            assertThat(bus().list(NS, 10)).hasSize(1);
        }
    }

    @Test
    void a_commit_for_a_claim_that_was_settled_is_refused() {
        enqueue(order(1));
        Claim acked = claimOne();
        ack(acked);
        enqueue(order(2));
        Claim released = claimOne();
        bus().release(released, "no");
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");

            assertRefused(session, acked);
            assertRefused(session, released);

            session.discard();
        }
    }

    private static void assertRefused(Session session, Claim claim) {
        assertThatThrownBy(() -> session.commit(
                        Map.of(), Outbox.of(NewEvent.of(NS, "billed", Map.of())).onBehalfOf(claim)))
                .isInstanceOf(ClaimLostException.class)
                .hasMessageContaining(claim.event().id());
        assertThat(session.head()).isZero();
        assertThat(session.pending()).isEqualTo(1);
    }

    @Test
    void events_of_a_commit_survive_the_clean_up_of_others() {
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");
            session.commit(Map.of(), Outbox.of(order(1)));
            assertThat(bus().ack(claimAll())).containsExactly(new ClaimOutcome.Done());
            pass(Duration.ofHours(1));
            bus().cleanup(NS, now());
            want(session, "c1", "Bob");
            session.commit(Map.of(), Outbox.of(order(2)));
        }

        List<Claim> claims = anotherBus().claim(wanted("worker-2", HANDLER, 10));

        assertThat(claims).extracting(claim -> claim.event().payloadJson()).containsExactly("{\"n\":2}");
    }
}
