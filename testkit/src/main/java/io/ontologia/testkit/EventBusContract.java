package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.ClaimOutcome.Done;
import io.ontologia.core.ClaimOutcome.LostClaim;
import io.ontologia.core.ClaimState;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.ClaimRequest.Subscription;
import io.ontologia.core.spi.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How events are claimed, acknowledged and released: §9.2 and §9.3, §15.3 of the specifications. */
public abstract class EventBusContract extends EventSuite {
    private static final Duration LEASE = OPTIONS.claimLease();

    @Test
    void what_an_event_leaves_open_is_filled_in() {
        Event event = enqueue(NewEvent.of(NS, "order", Map.of("b", 1L, "a", "ä")));

        assertThat(event.id()).matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
        assertThat(event.createdAt()).isEqualTo(now());
        assertThat(event.priority()).isEqualTo(100);
        assertThat(event.rootEventId()).isEqualTo(event.id());
        assertThat(event.chainDepth()).isZero();
        assertThat(event.payloadJson()).isEqualTo("{\"a\":\"ä\",\"b\":1}");
        assertThat(bus().inspect(NS, event.id()).orElseThrow().event()).isEqualTo(event);
    }

    @Test
    void what_an_event_says_itself_is_kept() {
        Instant past = Instant.parse("2020-02-03T04:05:06.000007Z");
        Event cause = enqueue(order(1));

        Event event = enqueue(order(2).causedBy(cause).identity("mine", past).priority(-5));

        Event stored = bus().inspect(NS, "mine").orElseThrow().event();
        assertThat(stored).isEqualTo(event);
        assertThat(stored.createdAt()).isEqualTo(past);
        assertThat(stored.priority()).isEqualTo(-5);
        assertThat(stored.rootEventId()).isEqualTo(cause.id());
        assertThat(stored.chainDepth()).isEqualTo(1);
    }

    @Test
    void an_event_that_is_there_already_is_not_enqueued_again() {
        NewEvent tick = order(1).identity("tick-1", now());
        bus().enqueue(List.of(tick));
        ack(claimOne());

        bus().enqueue(List.of(tick));
        anotherBus().enqueue(List.of(tick));

        assertThat(bus().list(NS, 10)).hasSize(1);
        assertThat(claimAll()).isEmpty();
    }

    @Test
    void the_most_urgent_comes_first_then_the_oldest_then_by_id() {
        Instant early = now().minusSeconds(1);
        List<NewEvent> events = List.of(
                order(1).identity("f", now()),
                order(2).identity("e", now()),
                order(3).identity("d", early),
                NewEvent.of(NS, "refund", Map.of()).identity("c", early),
                order(4).identity("b", now()).priority(101),
                order(5).identity("a", early).priority(99));
        bus().enqueue(events);

        List<String> listed =
                bus().list(NS, 10).stream().map(one -> one.event().id()).toList();
        List<Claim> first = bus().claim(wanted(WORKER, HANDLER, 4, "order", "refund"));
        List<Claim> second = bus().claim(wanted(WORKER, HANDLER, 4, "order", "refund"));

        assertThat(listed).containsExactly("b", "c", "d", "e", "f", "a");
        assertThat(ids(first)).containsExactly("b", "c", "d", "e");
        assertThat(ids(second)).containsExactly("f", "a");
    }

    @Test
    void an_event_that_comes_late_with_an_earlier_time_is_claimed_too() {
        enqueue(order(1));
        ack(claimOne());
        assertThat(claimAll()).isEmpty();

        bus().enqueue(List.of(order(2).identity("late", now().minus(Duration.ofDays(1)))));
        List<Claim> claimed = claimWithinPolls(3);

        assertThat(ids(claimed)).containsExactly("late");
    }

    private List<Claim> claimWithinPolls(int polls) {
        List<Claim> claimed = new ArrayList<>();
        for (int i = 0; i < polls; i++) {
            claimed.addAll(claimAll());
        }
        return claimed;
    }

    @Test
    void a_claim_says_for_whom_and_until_when() {
        Event event = enqueue(order(1));

        Claim claim = claimOne();

        assertThat(claim).isEqualTo(new Claim(event, HANDLER, WORKER, now(), now().plus(LEASE), 0));
        assertThat(state(event).sessionId()).isEqualTo(WORKER);
        assertThat(state(event).availableAt()).isEqualTo(now());
        assertThat(state(event).attempts()).isZero();
        assertThat(state(event).isFinal()).isFalse();
    }

    @Test
    void only_the_wanted_types_are_claimed_and_no_more_than_asked_for() {
        bus().enqueue(List.of(order(1), order(2), order(3), NewEvent.of(NS, "refund", Map.of())));

        assertThat(bus().claim(wanted(WORKER, HANDLER, 2))).hasSize(2);
        assertThat(bus().claim(wanted(WORKER, HANDLER, 0))).isEmpty();
        assertThat(bus().claim(wanted(WORKER, HANDLER, 9))).hasSize(1);
        assertThat(bus().claim(wanted(WORKER, HANDLER, 9, "nobody's"))).isEmpty();
        assertThat(bus().claim(wanted(WORKER, HANDLER, 9))).isEmpty();
        assertThat(bus().claim(wanted(WORKER, HANDLER, 9, "refund"))).hasSize(1);
    }

    @Test
    void each_handler_works_through_the_events_on_its_own() {
        Event event = enqueue(order(1));
        ack(claimOne());

        List<Claim> others = bus().claim(wanted(WORKER, "audit", 10));

        assertThat(ids(others)).containsExactly(event.id());
        assertThat(bus().ack(others)).containsExactly(new Done());
        assertThat(bus().claim(wanted(WORKER, "audit", 10))).isEmpty();
    }

    @Test
    void one_call_claims_for_several_handlers_in_their_order() {
        bus().enqueue(List.of(order(1), NewEvent.of(NS, "refund", Map.of())));

        List<Claim> claims = bus().claim(new ClaimRequest(
                NS,
                WORKER,
                List.of(
                        new Subscription("second", Set.of("refund"), 10),
                        new Subscription("first", Set.of("order", "refund"), 10))));

        assertThat(claims).extracting(Claim::handlerId).containsExactly("second", "first", "first");
    }

    @Test
    void a_live_claim_keeps_everybody_else_out() {
        enqueue(order(1));
        claimOne();

        pass(LEASE.minusMillis(1));

        assertThat(claimAll()).isEmpty();
        assertThat(anotherBus().claim(wanted("worker-2", HANDLER, 10))).isEmpty();
    }

    @Test
    void when_the_lease_ran_out_another_worker_takes_over() {
        Event event = enqueue(order(1));
        Claim lost = claimOne();
        EventStore another = anotherBus();
        assertThat(another.claim(wanted("worker-2", HANDLER, 10))).isEmpty();

        pass(LEASE);
        List<Claim> taken = another.claim(wanted("worker-2", HANDLER, 10));

        assertThat(taken).containsExactly(new Claim(event, HANDLER, "worker-2", now(), now().plus(LEASE), 0));
        assertThat(bus().ack(List.of(lost))).containsExactly(new LostClaim());
        assertThat(bus().renew(List.of(lost))).containsExactly(new LostClaim());
        assertThat(bus().handBack(List.of(lost))).containsExactly(new LostClaim());
        assertThat(bus().release(lost, "too late")).isEqualTo(new LostClaim());
        assertThat(state(event).sessionId()).isEqualTo("worker-2");
        assertThat(state(event).attempts()).isZero();
        assertThat(another.ack(taken)).containsExactly(new Done());
    }

    @Test
    void a_claim_whose_lease_ran_out_is_lost_although_nobody_took_it() {
        Event event = enqueue(order(1));
        Claim lost = claimOne();

        pass(LEASE);

        assertThat(bus().ack(List.of(lost))).containsExactly(new LostClaim());
        assertThat(bus().renew(List.of(lost))).containsExactly(new LostClaim());
        assertThat(bus().release(lost, "too late")).isEqualTo(new LostClaim());
        assertThat(state(event).isFinal()).isFalse();
        assertThat(ids(claimAll())).containsExactly(event.id());
    }

    @Test
    void a_session_that_takes_its_own_event_again_has_another_claim() {
        enqueue(order(1));
        Claim first = claimOne();
        pass(LEASE);

        Claim second = claimOne();

        assertThat(bus().ack(List.of(first))).containsExactly(new LostClaim());
        ack(second);
    }

    @Test
    void a_renewed_claim_lives_for_another_lease() {
        enqueue(order(1));
        Claim claim = claimOne();
        pass(LEASE.minusSeconds(1));

        List<ClaimOutcome> renewed = bus().renew(List.of(claim));
        pass(LEASE.minusSeconds(1));

        Claim expected =
                claim.leaseUntil(claim.claimedAt().plus(LEASE.multipliedBy(2)).minusSeconds(1));
        assertThat(renewed).containsExactly(new ClaimOutcome.Renewed(expected));
        assertThat(anotherBus().claim(wanted("worker-2", HANDLER, 10))).isEmpty();
        // Who renews in the background and acknowledges with the claim that was first given means the same claim.
        ack(claim);
    }

    @Test
    void an_acknowledged_event_is_done_for_good() {
        Event event = enqueue(order(1));
        Claim claim = claimOne();
        pass(Duration.ofSeconds(1));

        ack(claim);
        Instant ackedAt = now();
        pass(Duration.ofDays(365));

        assertThat(state(event).ackAt()).contains(ackedAt);
        assertThat(claimAll()).isEmpty();
        assertThat(anotherBus().claim(wanted("worker-2", HANDLER, 10))).isEmpty();
        assertThat(bus().ack(List.of(claim))).containsExactly(new LostClaim());
        assertThat(bus().release(claim, "no")).isEqualTo(new LostClaim());
        assertThat(bus().inspect(NS, event.id())).isPresent();
    }

    @Test
    void many_claims_are_acknowledged_each_for_itself() {
        bus().enqueue(IntStream.range(0, 150).mapToObj(EventSuite::order).toList());
        List<Claim> claims = bus().claim(wanted(WORKER, HANDLER, 200));
        ack(claims.get(7));

        List<ClaimOutcome> outcomes = bus().ack(claims);

        assertThat(claims).hasSize(150);
        assertThat(outcomes).hasSize(150);
        assertThat(outcomes.get(7)).isEqualTo(new LostClaim());
        assertThat(outcomes.stream().filter(new Done()::equals)).hasSize(149);
        assertThat(claimAll()).isEmpty();
    }

    @Test
    void a_failure_is_noted_and_the_event_comes_back_after_a_pause() {
        Event event = enqueue(order(1));

        ClaimOutcome outcome = bus().release(claimOne(), "no such customer");

        ClaimOutcome.Retry retry = (ClaimOutcome.Retry) outcome;
        ClaimState state = state(event);
        assertThat(retry.attempts()).isEqualTo(1);
        assertThat(retry.availableAt()).isBetween(now().plusMillis(500), now().plusMillis(600));
        assertThat(state.attempts()).isEqualTo(1);
        assertThat(state.lastError()).contains("no such customer");
        assertThat(state.leaseUntil()).isEqualTo(now());
        assertThat(state.availableAt()).isEqualTo(retry.availableAt());
        clock.setWallClock(retry.availableAt().minusNanos(1000));
        assertThat(claimAll()).isEmpty();
        clock.setWallClock(retry.availableAt());
        Claim again = claimOne();
        assertThat(again.attempts()).isEqualTo(1);
        assertThat(state(event).lastError()).contains("no such customer");
    }

    @Test
    void a_failure_without_words_gets_some() {
        Event event = enqueue(order(1));

        bus().release(claimOne(), " ");

        assertThat(state(event).lastError()).contains("handler failure");
    }

    @Test
    void the_pause_doubles_up_to_its_maximum() {
        EventOptions options = EventOptions.of(Map.of("event_backoff_max_ms", "3000", "event_max_attempts", "99"));
        enqueue(order(1));
        List<Long> pauses = new ArrayList<>();

        for (int i = 0; i < 6; i++) {
            ClaimOutcome.Retry retry = (ClaimOutcome.Retry) bus(options).release(claimOne(), "again");
            pauses.add(Duration.between(now(), retry.availableAt()).toMillis());
            pass(Duration.ofSeconds(10));
        }

        List<Integer> least = List.of(500, 1000, 2000, 3000, 3000, 3000);
        for (int i = 0; i < least.size(); i++) {
            assertThat(pauses.get(i)).isBetween((long) least.get(i), least.get(i) + 100L);
        }
    }

    @Test
    void what_a_stopping_worker_hands_back_is_there_at_once_and_no_failure() {
        Event event = enqueue(order(1));
        Claim claim = claimOne();

        List<ClaimOutcome> outcomes = bus().handBack(List.of(claim));
        List<Claim> taken = anotherBus().claim(wanted("worker-2", HANDLER, 10));

        assertThat(outcomes).containsExactly(new Done());
        assertThat(ids(taken)).containsExactly(event.id());
        assertThat(taken.get(0).attempts()).isZero();
        assertThat(bus().ack(List.of(claim))).containsExactly(new LostClaim());
    }

    @Test
    void of_many_who_claim_at_once_each_event_goes_to_one() {
        bus().enqueue(IntStream.range(0, 40).mapToObj(EventSuite::order).toList());
        List<EventStore> buses = List.of(bus(), anotherBus(), anotherBus(), anotherBus());

        List<List<Claim>> claimed;
        try (Racers racers = new Racers(4)) {
            claimed = racers.race(i -> buses.get(i).claim(wanted("worker-" + i, HANDLER, 40)));
        }

        List<String> all =
                claimed.stream().flatMap(claims -> ids(claims).stream()).toList();
        assertThat(all).doesNotHaveDuplicates();
        List<String> rest = new ArrayList<>(all);
        buses.forEach(bus -> rest.addAll(ids(bus.claim(wanted("late", HANDLER, 40)))));
        assertThat(rest).hasSize(40).doesNotHaveDuplicates();
    }
}
