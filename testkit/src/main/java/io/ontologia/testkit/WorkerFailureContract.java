package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.ClaimLostException;
import io.ontologia.core.ClaimState;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventStatus;
import io.ontologia.core.Handlers;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of events whose handlers throw, hang, cause each other, or lose their claim; and that it can be seen why. */
public abstract class WorkerFailureContract extends WorkerSuite {
    private static final Duration LEASE = OPTIONS.claimLease();

    private static WorkerOptions attempts(int most, Map<String, String> more) {
        Map<String, String> settings = new java.util.HashMap<>(more);
        settings.put("event_max_attempts", String.valueOf(most));
        return WorkerOptions.of(NS).events(EventOptions.of(settings));
    }

    private void stepUntilQuiet(Worker worker) {
        for (int quiet = 0; quiet < 2; ) {
            quiet = worker.step().orElseThrow().isZero() ? 0 : quiet + 1;
            pass(Duration.ofMinutes(1));
        }
    }

    @Test
    void a_handler_that_throws_is_called_again_and_what_it_emitted_is_gone() {
        List<Long> failures = new ArrayList<>();
        Worker worker = worker(onOrder((order, context) -> {
            failures.add(context.failures());
            context.ensure(new Invoice("o1", failures.size()));
            context.emit(new OrderBilled("attempt " + failures.size()));
            if (failures.size() == 1) {
                throw new IllegalStateException("no ink");
            }
        }));
        Event event = place("o1");

        worker.step();
        ClaimState failed = state(event);
        var wait = worker.step();
        pass(wait.orElseThrow());
        worker.step();

        assertThat(failed.lastError()).contains("IllegalStateException: no ink");
        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(wait.orElseThrow()).isBetween(Duration.ofMillis(500), Duration.ofMillis(600));
        assertThat(failures).containsExactly(0L, 1L);
        assertThat(state(event).ackAt()).isPresent();
        assertThat(listed("OrderBilled").payload()).containsEntry("order", "attempt 2");
        assertThat(entities("Invoice")).isEmpty();
    }

    @Test
    void what_was_committed_before_a_failure_stays_and_its_event_comes_once() {
        Worker worker = worker(attempts(2, Map.of()), onOrder((order, context) -> {
            context.ensure(new Invoice("o1", 1));
            context.commit(new OrderBilled("o1"));
            throw new AssertionError("too late");
        }));
        Event event = place("o1");

        stepUntilQuiet(worker);

        assertThat(entities("Invoice")).containsOnlyKeys("o1");
        assertThat(types()).containsOnlyOnce("OrderBilled");
        assertThat(state(event).deadLetteredAt()).isPresent();
        assertThat(state(event).lastError()).contains("AssertionError: too late");
    }

    @Test
    void after_the_last_attempt_there_is_a_dead_letter_and_a_handler_can_be_told() {
        List<String> told = new ArrayList<>();
        Handlers handlers = onOrder((order, context) -> {
                    throw new IllegalStateException("no ink");
                })
                .on(Event.DEAD_LETTER, "alarm", (event, context) -> told.add(event.payload() + ""));
        Worker worker = worker(attempts(3, Map.of()), handlers);
        Event event = place("o1");

        stepUntilQuiet(worker);

        assertThat(bus().deadLetters(NS, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.eventId()).isEqualTo(event.id());
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.lastError()).isEqualTo("IllegalStateException: no ink");
        });
        assertThat(told).singleElement().asString().contains(event.id());
        assertThat(bus().inspect(NS, event.id()).orElseThrow().status(now())).isEqualTo(EventStatus.DEAD_LETTERED);
    }

    @Test
    void handlers_that_cause_each_others_events_end_at_the_longest_chain() {
        Worker worker = worker(
                attempts(2, Map.of("max_event_chain_depth", "5")),
                onOrder((order, context) -> context.emit(new OrderPlaced(order.order() + "!", 1))));
        Event event = place("o1");

        stepUntilQuiet(worker);

        assertThat(types().stream().filter("order.placed"::equals)).hasSize(6);
        assertThat(bus().deadLetters(NS, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.rootEventId()).isEqualTo(event.id());
            assertThat(letter.chainDepth()).isEqualTo(5);
            assertThat(letter.lastError()).contains("max_event_chain_depth is 5");
        });
    }

    @Test
    void an_event_that_is_too_deep_already_is_not_handled() {
        List<String> seen = new ArrayList<>();
        Event root = place("root");
        Event deep = new Event("x", NS, "t", "{}", 1, now(), root.id(), 20);
        Event event = enqueue(NewEvent.of(NS, new OrderPlaced("deep", 1)).causedBy(deep));
        Worker worker = worker(onOrder((order, context) -> seen.add(order.order())));

        worker.step();

        assertThat(seen).containsExactly("root");
        assertThat(state(event).lastError().orElseThrow()).contains("max_event_chain_depth is 20");
    }

    @Test
    void a_handler_that_wants_more_rows_than_a_batch_holds_fails_with_the_reason() {
        var session = Ontologia.open(uri(), options("worker").maxBatchSize(2), Invoice.class);
        Event event = place("o1");
        try (session;
                Worker worker = Worker.of(session, NS, onOrder((order, context) -> {
                    context.ensure(new Invoice("1", 1), new Invoice("2", 2), new Invoice("3", 3));
                    context.commit();
                }))) {

            worker.step();
        }

        assertThat(state(event).lastError().orElseThrow())
                .contains("max_batch_size")
                .contains("2");
        assertThat(entities("Invoice")).isEmpty();
    }

    @Test
    void a_payload_that_does_not_fit_the_record_is_a_failure_with_the_reason() {
        Event event = enqueue(NewEvent.of(NS, "order.placed", Map.of("order", 5)));
        Worker worker = worker(onOrder((order, context) -> {}));

        worker.step();

        assertThat(state(event).lastError().orElseThrow()).contains("field 'order'");
    }

    @Test
    void a_handler_that_outlives_its_lease_can_neither_commit_nor_emit_and_another_worker_takes_over() {
        List<Throwable> refusals = new ArrayList<>();
        Worker slow = worker(onOrder((order, context) -> {
            pass(LEASE);
            context.emit(new OrderBilled("slow"));
            context.ensure(new Invoice("slow", 1));
            try {
                context.commit();
            } catch (ClaimLostException e) {
                refusals.add(e);
            }
        }));
        Worker quick = worker(onOrder((order, context) -> {
            context.ensure(new Invoice("quick", 1));
            context.commit();
        }));
        Event event = place("o1");

        slow.step();
        quick.step();

        assertThat(refusals).hasSize(1);
        assertThat(entities("Invoice")).containsOnlyKeys("quick");
        assertThat(types()).containsExactly("order.placed");
        assertThat(state(event).sessionId()).isEqualTo(quick.sessionId());
        assertThat(state(event).attempts()).isZero();
    }

    @Test
    void a_claim_that_is_kept_alive_outlives_its_lease() {
        List<Worker> workers = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        Worker other = worker(onOrder((order, context) -> seen.add("other")));
        workers.add(worker(onOrder((order, context) -> {
            for (int i = 0; i < 6; i++) {
                pass(LEASE.dividedBy(2));
                workers.get(0).keepAlive();
                other.step();
            }
            context.ensure(new Invoice("kept", 1));
            context.commit();
        })));
        Event event = place("o1");

        workers.get(0).step();

        assertThat(seen).isEmpty();
        assertThat(entities("Invoice")).containsOnlyKeys("kept");
        assertThat(state(event).ackAt()).isPresent();
    }

    @Test
    void a_handler_that_hangs_is_given_up_after_its_limit_and_the_reason_is_kept() {
        List<Worker> workers = new ArrayList<>();
        List<Throwable> refusals = new ArrayList<>();
        workers.add(worker(WorkerOptions.of(NS).handlerLimit(Duration.ofMinutes(1)), onOrder((order, context) -> {
            for (int i = 0; i < 7; i++) {
                pass(Duration.ofSeconds(10));
                workers.get(0).keepAlive();
            }
            context.ensure(new Invoice("late", 1));
            try {
                context.commit();
            } catch (ClaimLostException e) {
                refusals.add(e);
            }
        })));
        Event event = place("o1");

        workers.get(0).step();

        assertThat(refusals).hasSize(1);
        assertThat(state(event).attempts()).isEqualTo(1);
        assertThat(state(event).lastError()).contains("the handler was not done after 60000 ms, and given up");
        assertThat(entities("Invoice")).isEmpty();
    }

    @Test
    void the_events_of_a_worker_that_crashed_go_to_another_after_the_lease() {
        List<String> seen = new ArrayList<>();
        Event event = place("o1");
        bus().claim(wanted("crashed", HANDLER, 10, "order.placed"));
        Worker worker = worker(onOrder((order, context) -> seen.add(order.order())));

        worker.step();
        List<String> before = List.copyOf(seen);
        pass(LEASE);
        worker.step();

        assertThat(before).isEmpty();
        assertThat(seen).containsExactly("o1");
        assertThat(state(event).sessionId()).isEqualTo(worker.sessionId());
    }

    @Test
    void claims_that_run_out_before_their_turn_are_not_handled() {
        List<String> seen = new ArrayList<>();
        Worker worker = worker(onOrder((order, context) -> {
            seen.add(order.order());
            pass(LEASE);
        }));
        place("o1");
        place("o2");

        worker.step();

        assertThat(seen).hasSize(1);
    }
}
