package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Event;
import io.ontologia.core.EventContext;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventSession;
import io.ontologia.core.HandlerOptions;
import io.ontologia.core.Handlers;
import io.ontologia.core.Handles;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a worker does with events whose handlers behave, step by step and without threads. */
public abstract class WorkerContract extends WorkerSuite {
    @Test
    void a_handler_gets_its_event_and_what_it_commits_says_why() {
        Event event = place("o1");
        Worker worker = worker(onOrder((order, context) -> {
            context.ensure(new Invoice(order.order(), order.total()));
            context.metadata("why", "test");
            context.metadata("event_id", "forged");
            context.commit();
        }));

        worker.step();

        assertThat(entities("Invoice")).containsOnlyKeys("o1");
        assertThat(state(event).ackAt()).isPresent();
        assertThat(newest().metadata())
                .containsEntry("why", "test")
                .containsEntry("event_id", event.id())
                .containsEntry("event_type", "order.placed")
                .containsEntry("root_event_id", event.id())
                .containsEntry("handler_id", HANDLER);
    }

    @Test
    void nothing_is_stored_unless_the_handler_commits() {
        Event event = place("o1");
        Worker worker = worker(onOrder((order, context) -> context.ensure(new Invoice(order.order(), 1))));

        try (Warnings warnings = Warnings.of(Worker.class)) {
            worker.step();

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains(HANDLER, event.id(), "1 row pending", "not stored");
        }
        assertThat(entities("Invoice")).isEmpty();
        assertThat(state(event).ackAt()).isPresent();
    }

    @Test
    void commits_through_the_session_of_the_context_are_on_behalf_of_the_event_too() {
        Event event = place("o1");
        Worker worker = worker(onOrder((order, context) -> {
            try (var session = context.session()) {
                session.ensure(new Invoice("o1", 1));
                session.commit(Map.of("how", "directly"));
            }
        }));

        worker.step();

        assertThat(newest().metadata()).containsEntry("how", "directly").containsEntry("event_id", event.id());
        assertThat(worker.step()).as("the store is still open").isPresent();
    }

    /** Handlers as an object has them. */
    public static final class Billing {
        private final List<String> seen = new ArrayList<>();

        @Handles("billing.placed")
        void placed(OrderPlaced order, EventContext context) {
            seen.add("placed " + order.order() + " " + context.event().type());
            context.emit(new OrderBilled(order.order()));
        }

        @Handles("billing.billed")
        void billed(OrderBilled order) {
            seen.add("billed " + order.order());
        }

        /** No handler. */
        public void other(String text) {
            seen.add(text);
        }
    }

    @Test
    void marked_methods_of_an_object_are_handlers() {
        Billing billing = new Billing();
        place("o1");
        Worker worker = worker(Handlers.none().with(billing));

        worker.step();
        worker.step();

        assertThat(billing.seen).containsExactly("placed o1 order.placed", "billed o1");
    }

    @Test
    void what_a_handler_emits_and_commits_goes_on_with_the_chain() {
        Event event = place("o1");
        Worker worker = worker(onOrder((order, context) -> {
            pass(Duration.ofMillis(1));
            context.ensure(new Invoice("o1", 1));
            context.commit(new OrderBilled("o1"));
            context.emit(NewEvent.of(NS, "mail", Map.of("to", "o1")).priority(500));
            assertThat(types()).as("what is emitted waits").containsExactly("order.placed", "OrderBilled");
        }));

        worker.step();

        assertThat(types()).containsExactly("mail", "order.placed", "OrderBilled");
        assertThat(List.of(listed("mail"), listed("OrderBilled"))).allSatisfy(next -> {
            assertThat(next.rootEventId()).isEqualTo(event.id());
            assertThat(next.chainDepth()).isEqualTo(1);
        });
    }

    @Test
    void a_commit_that_changes_nothing_brings_no_event() {
        List<CommitResult> results = new ArrayList<>();
        Worker worker = worker(onOrder((order, context) -> {
            context.ensure(new Invoice("o1", 1));
            results.add(context.commit(new OrderBilled("o1")));
        }));
        place("first");
        place("second");

        worker.step();

        assertThat(results.get(0)).isInstanceOf(CommitResult.Committed.class);
        assertThat(results.get(1)).isInstanceOf(CommitResult.NothingToDo.class);
        assertThat(types()).containsOnlyOnce("OrderBilled");
    }

    @Test
    void every_handler_gets_every_event_of_its_type_the_important_handler_and_event_first() {
        List<String> seen = new ArrayList<>();
        Handlers handlers = Handlers.none()
                .on(OrderPlaced.class, "later", (order, context) -> seen.add("later " + order.order()))
                .on(
                        OrderPlaced.class,
                        HandlerOptions.of("first").priority(200),
                        (order, context) -> seen.add("first " + order.order()))
                .on("other", "never", (event, context) -> seen.add("never"));
        place("ordinary");
        enqueue(NewEvent.of(NS, new OrderPlaced("urgent", 1)).priority(900));

        worker(handlers).step();

        assertThat(seen).containsExactly("first urgent", "first ordinary", "later urgent", "later ordinary");
    }

    @Test
    void a_round_takes_on_what_the_limits_allow_and_no_handler_is_left_out_twice() {
        List<String> seen = new ArrayList<>();
        Handlers handlers = Handlers.none();
        for (String id : List.of("a", "b", "c")) {
            handlers = handlers.on(OrderPlaced.class, id, (order, context) -> seen.add(id));
        }
        IntStream.range(0, 10).forEach(i -> place("o" + i));
        Worker worker = worker(
                WorkerOptions.of(NS)
                        .events(EventOptions.of(Map.of("event_claim_limit", "2", "max_events_per_iteration", "3"))),
                handlers);

        worker.step();
        List<String> first = List.copyOf(seen);
        worker.step();

        assertThat(first).containsExactly("a", "a", "b");
        assertThat(seen.subList(3, seen.size())).containsExactly("a", "c", "c");
    }

    @Test
    void two_workers_never_handle_the_same_event() {
        List<String> seen = new ArrayList<>();
        Handlers handlers = onOrder((order, context) -> seen.add(order.order()));
        WorkerOptions few = WorkerOptions.of(NS).events(EventOptions.of(Map.of("event_claim_limit", "2")));
        Worker one = worker(few, handlers);
        Worker other = worker(few, handlers);
        IntStream.range(0, 8).forEach(i -> place("o" + i));

        for (int i = 0; i < 3; i++) {
            one.step();
            other.step();
        }

        assertThat(seen).hasSize(8).doesNotHaveDuplicates();
    }

    @Test
    void an_idle_worker_asks_to_be_called_after_the_poll_interval_and_a_busy_one_at_once() {
        Worker worker = worker(onOrder((order, context) -> {}));

        var idle = worker.step();
        place("o1");
        var busy = worker.step();

        assertThat(idle).contains(OPTIONS.pollInterval());
        assertThat(busy).contains(Duration.ZERO);
    }

    @Test
    void a_worker_is_known_on_the_bus_and_keeps_saying_that_it_lives() {
        Worker worker = worker(onOrder((order, context) -> {}));
        worker.step();
        EventSession before = bus().sessions(NS).get(0);
        pass(OPTIONS.heartbeatInterval());

        worker.keepAlive();

        EventSession after = bus().sessions(NS).get(0);
        assertThat(before.sessionId()).isEqualTo(worker.sessionId());
        assertThat(before.metadata()).containsKeys("pid", "hostname").containsEntry("handlers", List.of(HANDLER));
        assertThat(after.lastHeartbeat()).isEqualTo(now());
        assertThat(after.metadata()).isEqualTo(before.metadata());
    }

    @Test
    void namespaces_do_not_see_each_other() {
        List<String> seen = new ArrayList<>();
        Worker worker = worker(WorkerOptions.of("other"), onOrder((order, context) -> seen.add(order.order())));
        place("o1");

        worker.step();

        assertThat(seen).isEmpty();
    }

    @Test
    void a_closed_worker_does_nothing() {
        List<String> seen = new ArrayList<>();
        Worker worker = worker(onOrder((order, context) -> seen.add(order.order())));
        place("o1");

        worker.close();

        assertThat(worker.step()).isEmpty();
        assertThat(seen).isEmpty();
    }

    /** Wrong handlers. */
    public static final class Mistaken {
        @Handles("text")
        void text(String text) {}

        @Handles("")
        void nameless(OrderBilled order) {}
    }

    @Test
    void handlers_that_cannot_be_are_refused_with_every_mistake() {
        assertThatThrownBy(() -> Handlers.none().with(new Mistaken()))
                .hasMessageContaining("method text")
                .hasMessageContaining("method nameless");
        assertThatThrownBy(() -> Handlers.none().with("nothing")).hasMessageContaining("no method with @Handles");
        assertThatThrownBy(() -> onOrder((order, context) -> {}).on("x", HANDLER, (event, context) -> {}))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }
}
