package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.ClaimState;
import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventCleanup;
import io.ontologia.core.EventInspection;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventSession;
import io.ontologia.core.EventStatus;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.ClaimRequest.Subscription;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Dead letters, sessions, listings, replay and clean-up: the rest of §9.3, §9.4 and §9.5, §15.4 of the specifications.
 */
public abstract class EventRecordsContract extends EventSuite {
    @Test
    void the_last_failure_makes_a_dead_letter_with_its_event() {
        EventOptions options = attempts(3);
        Event root = bus().enqueue(List.of(NewEvent.of(NS, "other", Map.of()))).get(0);
        Event event = enqueue(order(7).causedBy(root));

        ClaimOutcome outcome = failUntilDead(options);

        Instant failedAt = now().minus(Duration.ofMinutes(1));
        assertThat(outcome).isEqualTo(new ClaimOutcome.DeadLettered(3));
        assertThat(bus().deadLetters(NS, 10))
                .containsExactly(new DeadLetter(
                        event.id(), HANDLER, NS, failedAt, 3, "broken 3", "order", "{\"n\":7}", root.id(), 1));
        ClaimState state = state(event);
        assertThat(state.deadLetteredAt()).contains(failedAt);
        assertThat(state.attempts()).isEqualTo(3);
        assertThat(state.lastError()).contains("broken 3");
        assertThat(state.leaseUntil()).isEqualTo(failedAt);
        assertThat(state.availableAt()).isEqualTo(failedAt);
        assertThat(claimAll()).isEmpty();
        assertThat(anotherBus().claim(wanted("worker-2", HANDLER, 10))).isEmpty();
    }

    @Test
    void a_dead_letter_is_an_event_of_the_same_chain() {
        Event root = bus().enqueue(List.of(NewEvent.of(NS, "other", Map.of()))).get(0);
        Event event = enqueue(order(7).causedBy(root).priority(7));

        failUntilDead(attempts(1));

        Event told = listed(Event.DEAD_LETTER);
        assertThat(told.rootEventId()).isEqualTo(root.id());
        assertThat(told.chainDepth()).isEqualTo(2);
        assertThat(told.payload())
                .containsEntry("event_id", event.id())
                .containsEntry("event_type", "order")
                .containsEntry("handler_id", HANDLER)
                .containsEntry("attempts", 1L)
                .containsEntry("last_error", "broken 1");
        assertThat(bus().deadLetters(NS, 10))
                .extracting(DeadLetter::eventId, DeadLetter::eventType)
                .containsExactly(tuple(event.id(), "order"));
        assertThat(ids(bus().claim(wanted(WORKER, "alarm", 10, Event.DEAD_LETTER))))
                .containsExactly(told.id());
    }

    @Test
    void one_handler_gives_up_while_another_goes_on() {
        Event event = enqueue(order(1));
        failUntilDead(attempts(1));

        List<Claim> others = bus().claim(wanted(WORKER, "audit", 10));

        assertThat(ids(others)).containsExactly(event.id());
        assertThat(bus().ack(others)).containsExactly(new ClaimOutcome.Done());
        assertThat(status(event)).isEqualTo(EventStatus.DEAD_LETTERED);
    }

    private EventStatus status(Event event) {
        return bus().list(NS, 100).stream()
                .filter(one -> one.event().id().equals(event.id()))
                .map(ListedEvent::status)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void the_status_is_that_of_the_handler_that_got_furthest() {
        Event event = enqueue(order(1));
        assertThat(status(event)).isEqualTo(EventStatus.PENDING);

        Claim claim = claimOne();
        assertThat(status(event)).isEqualTo(EventStatus.CLAIMED);

        List<Claim> audit = bus().claim(wanted(WORKER, "audit", 1));
        bus().ack(audit);
        assertThat(status(event)).isEqualTo(EventStatus.ACKED);

        bus(attempts(1)).release(claim, "broken");
        assertThat(status(event)).isEqualTo(EventStatus.DEAD_LETTERED);
    }

    @Test
    void a_claim_that_ran_out_or_waits_for_another_attempt_leaves_the_event_pending() {
        Event first = enqueue(order(1));
        bus().release(claimOne(), "again");
        assertThat(status(first)).isEqualTo(EventStatus.PENDING);

        pass(Duration.ofMinutes(1));
        claimOne();
        assertThat(status(first)).isEqualTo(EventStatus.CLAIMED);

        pass(OPTIONS.claimLease());
        assertThat(status(first)).isEqualTo(EventStatus.PENDING);
    }

    @Test
    void listings_hold_no_more_than_asked_for() {
        EventOptions options = attempts(1);
        for (int i = 0; i < 3; i++) {
            enqueue(order(i));
            failUntilDead(options);
        }

        assertThat(bus().list(NS, 2)).hasSize(2);
        assertThat(bus().list(NS, 100)).hasSize(6);
        assertThat(bus().deadLetters(NS, 2)).hasSize(2);
        assertThat(bus().deadLetters(NS, 10))
                .extracting(DeadLetter::payloadJson)
                .containsExactly("{\"n\":2}", "{\"n\":1}", "{\"n\":0}");
    }

    @Test
    void an_inspected_event_shows_every_handler() {
        Event event = enqueue(order(1));
        bus().release(claimOne(), "broken");
        bus().claim(wanted("worker-2", "audit", 1));

        EventInspection found = bus().inspect(NS, event.id()).orElseThrow();

        assertThat(found.event()).isEqualTo(event);
        assertThat(found.claims()).extracting(ClaimState::handlerId).containsExactly("audit", HANDLER);
        assertThat(found.claims()).extracting(ClaimState::sessionId).containsExactly("worker-2", WORKER);
        assertThat(found.claims()).extracting(ClaimState::attempts).containsExactly(0L, 1L);
        assertThat(bus().inspect(event.id())).containsExactly(found);
        assertThat(bus().inspect("elsewhere", event.id())).isEmpty();
        assertThat(bus().inspect("unknown")).isEmpty();
    }

    @Test
    void a_replayed_event_is_the_root_of_a_new_chain() {
        Event root = bus().enqueue(List.of(NewEvent.of(NS, "other", Map.of()))).get(0);
        Event event = enqueue(order(1).causedBy(root).priority(3));
        ack(claimOne());
        pass(Duration.ofSeconds(5));

        Event copy = bus().replay(NS, event.id());

        assertThat(copy.id()).isNotEqualTo(event.id());
        assertThat(copy).isEqualTo(new Event(copy.id(), NS, "order", event.payloadJson(), 3, now(), copy.id(), 0));
        assertThat(ids(claimAll())).containsExactly(copy.id());
    }

    @Test
    void what_is_not_there_cannot_be_replayed() {
        Event event = enqueue(order(1));

        assertThatThrownBy(() -> bus().replay("elsewhere", event.id()))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND))
                .hasMessageContaining(event.id());
    }

    @Test
    void a_heartbeat_says_that_a_session_is_alive() {
        Instant started = now();
        bus().registerSession(NS, WORKER, Map.of("pid", 1L));
        pass(OPTIONS.sessionTtl());
        assertThat(bus().sessions(NS).get(0).isDead(now(), OPTIONS.sessionTtl()))
                .isFalse();
        pass(Duration.ofMillis(1));
        assertThat(bus().sessions(NS).get(0).isDead(now(), OPTIONS.sessionTtl()))
                .isTrue();

        bus().heartbeat(NS, WORKER);

        EventSession session = bus().sessions(NS).get(0);
        assertThat(session).isEqualTo(new EventSession(WORKER, NS, started, now(), Map.of("pid", 1L)));
        assertThat(session.isDead(now(), OPTIONS.sessionTtl())).isFalse();
    }

    @Test
    void a_heartbeat_of_an_unknown_session_registers_it() {
        bus().heartbeat(NS, WORKER);

        assertThat(bus().sessions(NS)).containsExactly(new EventSession(WORKER, NS, now(), now(), Map.of()));
    }

    @Test
    void a_clean_up_removes_old_events_and_their_claims_and_nothing_else() {
        bus().registerSession(NS, WORKER, Map.of());
        Event dead = enqueue(order(1));
        failUntilDead(attempts(1));
        Event acked = enqueue(order(2));
        ack(claimOne());
        Event pending =
                bus().enqueue(List.of(NewEvent.of(NS, "other", Map.of()))).get(0);
        pass(Duration.ofSeconds(1));
        Instant before = now();
        Event kept = enqueue(order(3));
        Claim claim = claimOne();
        bus().enqueue(List.of(NewEvent.of("elsewhere", "order", Map.of()).identity("old", dead.createdAt())));

        EventCleanup planned = bus().previewCleanup(NS, before);
        EventCleanup done = bus().cleanup(NS, before);

        // Three of ours and the one that tells of the dead letter.
        assertThat(done).isEqualTo(new EventCleanup(4, 2)).isEqualTo(planned);
        assertThat(bus().list(NS, 10)).extracting(one -> one.event().id()).containsExactly(kept.id());
        for (Event gone : List.of(dead, acked, pending)) {
            assertThat(bus().inspect(gone.id())).isEmpty();
        }
        assertThat(bus().deadLetters(NS, 10)).hasSize(1);
        assertThat(bus().sessions(NS)).hasSize(1);
        assertThat(bus().list("elsewhere", 10)).hasSize(1);
        ack(claim);
        assertThat(bus().cleanup(NS, before)).isEqualTo(new EventCleanup(0, 0));
    }

    @Test
    void what_was_cleaned_up_can_be_enqueued_anew() {
        NewEvent tick = order(1).identity("tick", now());
        bus().enqueue(List.of(tick));
        ack(claimOne());
        pass(Duration.ofSeconds(1));
        bus().cleanup(NS, now());
        assertThat(claimAll()).isEmpty();

        bus().enqueue(List.of(tick));

        assertThat(ids(claimAll())).containsExactly("tick");
    }

    @Test
    void namespaces_do_not_see_each_other() {
        Event here = enqueue(order(1));
        bus().enqueue(List.of(NewEvent.of("elsewhere", "order", Map.of())));
        bus().registerSession("third", "worker-3", Map.of());

        assertThat(ids(claimAll())).containsExactly(here.id());
        assertThat(bus().list(NS, 10)).hasSize(1);
        assertThat(bus().sessions(NS)).isEmpty();
        assertThat(bus().namespaces())
                .containsExactly(
                        new EventNamespace("elsewhere", 1, 0, 0),
                        new EventNamespace(NS, 1, 0, 0),
                        new EventNamespace("third", 0, 1, 0));
    }

    @Test
    void a_namespace_with_nothing_but_dead_letters_is_not_listed() {
        enqueue(order(1));
        failUntilDead(attempts(1));
        assertThat(bus().namespaces()).containsExactly(new EventNamespace(NS, 2, 0, 1));

        bus().cleanup(NS, now().plusSeconds(1));

        assertThat(bus().namespaces()).isEmpty();
        assertThat(bus().deadLetters(NS, 10)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../up", "a/b", ".", "..", "a b", "%2F", "ü☃", "a_b", "-", "x.json", "\u0000", "'; --", "*"})
    void names_may_hold_anything(String name) {
        String other = name + "x";
        bus().enqueue(List.of(
                NewEvent.of(name, name, Map.of()).identity(name, now()),
                NewEvent.of(other, name, Map.of()).identity(other, now())));
        bus().registerSession(name, name, Map.of());

        List<Claim> claims =
                bus().claim(new ClaimRequest(name, name, List.of(new Subscription(name, Set.of(name), 10))));
        ClaimOutcome outcome = bus(attempts(1)).release(claims.get(0), name);

        assertThat(ids(claims)).containsExactly(name);
        assertThat(outcome).isEqualTo(new ClaimOutcome.DeadLettered(1));
        assertThat(bus().deadLetters(name, 10))
                .extracting(DeadLetter::handlerId)
                .containsExactly(name);
        assertThat(bus().sessions(name)).extracting(EventSession::sessionId).containsExactly(name);
        assertThat(bus().inspect(name)).hasSize(1);
        assertThat(bus().inspect(other, other)).isPresent();
        assertThat(bus().namespaces()).extracting(EventNamespace::name).containsExactlyInAnyOrder(name, other);
        assertThat(bus().cleanup(name, now().plusSeconds(1)).events()).isEqualTo(2);
        assertThat(bus().list(other, 10)).hasSize(1);
    }

    @Test
    void bad_names_are_refused() {
        String tooLong = "x".repeat(201);

        for (String bad : List.of("", tooLong, "\ud800")) {
            assertRefused(() -> NewEvent.of(bad, "order", Map.of()));
            assertRefused(() -> bus().heartbeat(NS, bad));
            assertRefused(() -> bus().registerSession(bad, WORKER, Map.of()));
            assertRefused(() -> new Subscription(bad, Set.of(), 1));
            assertRefused(() -> bus().list(bad, 1));
            assertRefused(() -> bus().sessions(bad));
            assertRefused(() -> bus().deadLetters(bad, 1));
            assertRefused(() -> bus().inspect(NS, bad));
            assertRefused(() -> bus().inspect(bad));
            assertRefused(() -> bus().replay(bad, "x"));
            assertRefused(() -> bus().cleanup(bad, now()));
            assertRefused(() -> bus().onEnqueue(bad, () -> {}));
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }
}
