package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.ClaimState;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventSession;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The event bus over a long life: clean-ups between other steps, chains that reach their limit, and what is known of retries
 * and of sessions.
 */
public abstract class EventUpkeepContract extends EventSuite {
    private static final EventOptions SHORT_CHAINS =
            EventOptions.of(Map.of("event_max_attempts", "1", "max_event_chain_depth", "1"));

    /** Whether a session that is registered again gets a new start. The two specifications differ. */
    protected enum Registration {
        KEEPS_START,
        SETS_START
    }

    /** What this backend's specification says about a session that is registered again. */
    protected abstract Registration registration();

    private List<Claim> claim(EventStore bus, String type) {
        return bus.claim(wanted(WORKER, HANDLER, 100, type));
    }

    private void cleanUpEverything() {
        pass(Duration.ofSeconds(1));
        bus().cleanup(NS, now());
    }

    @Test
    void an_event_after_a_clean_up_is_claimed_at_once() {
        enqueue(NewEvent.of(NS, "a", Map.of()));
        assertThat(bus().ack(claim(bus(), "a"))).containsExactly(new ClaimOutcome.Done());
        cleanUpEverything();

        Event next = enqueue(NewEvent.of(NS, "b", Map.of()));

        assertThat(ids(claim(bus(), "b"))).containsExactly(next.id());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void a_clean_up_after_any_step_hides_no_later_event(int step) {
        EventStore another = anotherBus();
        int steps = 0;
        for (int round = 0; round < 2; round++) {
            String type = "type-" + round;
            Event first = enqueue(NewEvent.of(NS, type, Map.of()));
            another.enqueue(List.of(NewEvent.of(NS, "other", Map.of())));
            steps = cleanUpAt(step, steps + 1);
            List<Claim> claims = claim(another, type);
            steps = cleanUpAt(step, steps + 1);
            another.ack(claims);
            steps = cleanUpAt(step, steps + 1);
            Event second = enqueue(NewEvent.of(NS, type, Map.of()).identity("again", first.createdAt()));
            assertThat(ids(claim(another, type))).as("round %s", round).contains(second.id());
            steps = cleanUpAt(step, steps + 1);
        }
        Event last = enqueue(NewEvent.of(NS, "type-last", Map.of()));
        assertThat(ids(claim(bus(), "type-last"))).containsExactly(last.id());
        assertThat(ids(another.claim(wanted("worker-2", "audit", 100, "type-last"))))
                .containsExactly(last.id());
    }

    private int cleanUpAt(int wanted, int step) {
        if (step == wanted || step % 4 == 0) {
            cleanUpEverything();
        }
        return step;
    }

    @Test
    void a_dead_letter_at_the_end_of_a_chain_is_reported_without_making_the_chain_longer() {
        Event root = bus().enqueue(List.of(NewEvent.of(NS, "other", Map.of()))).get(0);
        Event event = enqueue(order(7).causedBy(root));

        failUntilDead(SHORT_CHAINS);

        Event report = listed(Event.DEAD_LETTER);
        assertThat(report.rootEventId()).isEqualTo(root.id());
        assertThat(report.chainDepth()).isEqualTo(1);
        assertThat(report.payload()).containsEntry("event_id", event.id());
        assertThat(bus().deadLetters(NS, 10)).hasSize(1);
    }

    @Test
    void a_report_that_fails_at_the_end_of_a_chain_is_a_dead_letter_and_causes_no_other_report() {
        Event root = bus().enqueue(List.of(NewEvent.of(NS, "other", Map.of()))).get(0);
        enqueue(order(7).causedBy(root));
        failUntilDead(SHORT_CHAINS);

        List<Claim> reports = bus().claim(wanted(WORKER, "alarm", 10, Event.DEAD_LETTER));
        assertThat(reports).hasSize(1);
        assertThat(bus(SHORT_CHAINS).release(reports.get(0), "alarm failed"))
                .isEqualTo(new ClaimOutcome.DeadLettered(1));

        assertThat(bus().claim(wanted(WORKER, "alarm", 10, Event.DEAD_LETTER))).isEmpty();
        assertThat(bus().deadLetters(NS, 10)).hasSize(2);
        listed(Event.DEAD_LETTER);
    }

    @Test
    void a_retry_shows_why_the_attempt_before_it_failed() {
        Event event = enqueue(order(1));
        bus().release(claimOne(), "no connection");
        pass(Duration.ofMinutes(1));

        Claim retry = claimOne();

        ClaimState state = state(event);
        assertThat(state.attempts()).isEqualTo(1);
        assertThat(state.lastError()).contains("no connection");
        ack(retry);
        assertThat(state(event).lastError()).contains("no connection");
    }

    @Test
    void a_session_that_is_registered_again_starts_as_the_specification_says() {
        Instant started = now();
        bus().registerSession(NS, WORKER, Map.of("pid", 1L));
        pass(Duration.ofSeconds(10));

        EventSession again = bus().registerSession(NS, WORKER, Map.of("pid", 2L));

        Instant expected = registration() == Registration.KEEPS_START ? started : now();
        assertThat(again).isEqualTo(new EventSession(WORKER, NS, expected, now(), Map.of("pid", 2L)));
        assertThat(bus().sessions(NS)).containsExactly(again);
    }
}
