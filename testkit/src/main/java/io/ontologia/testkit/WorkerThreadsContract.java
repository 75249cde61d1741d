package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.ClaimLostException;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventStatus;
import io.ontologia.core.HandlerOptions;
import io.ontologia.core.Handlers;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker does on threads of its own: it wakes up, keeps to its limits, and stops without losing anything. */
@Timeout(120)
public abstract class WorkerThreadsContract extends WorkerSuite {
    private static final WorkerOptions NEVER_POLLS =
            WorkerOptions.of(NS).events(EventOptions.of(Map.of("event_poll_interval_ms", "86400000")));

    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    private List<String> take(int count) throws InterruptedException {
        List<String> taken = new java.util.ArrayList<>();
        for (int i = 0; i < count; i++) {
            String one = seen.poll(60, TimeUnit.SECONDS);
            assertThat(one).as("number " + i).isNotNull();
            taken.add(one);
        }
        return taken;
    }

    @Test
    void what_this_process_enqueues_is_handled_without_a_poll() throws Exception {
        worker(NEVER_POLLS, onOrder((order, context) -> seen.add(order.order())))
                .start();

        place("o1");
        List<String> first = take(1);
        IntStream.range(2, 10).forEach(i -> place("o" + i));
        List<String> more = take(8);

        assertThat(first).containsExactly("o1");
        assertThat(more).containsExactlyInAnyOrder("o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9");
    }

    @Test
    void more_than_a_claim_takes_is_handled_without_a_poll_and_in_order() throws Exception {
        IntStream.range(0, 25).forEach(i -> {
            place("o" + i);
            pass(Duration.ofMillis(1));
        });
        WorkerOptions few = NEVER_POLLS.events(
                EventOptions.of(Map.of("event_poll_interval_ms", "86400000", "event_claim_limit", "4")));

        worker(few, onOrder((order, context) -> seen.add(order.order()))).start();

        assertThat(take(25))
                .containsExactlyElementsOf(
                        IntStream.range(0, 25).mapToObj(i -> "o" + i).toList());
    }

    @Test
    void a_handler_is_called_by_as_many_threads_as_it_allows_and_no_more() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier two = new CyclicBarrier(2);
        Handlers handlers = Handlers.none()
                .on(OrderPlaced.class, HandlerOptions.of(HANDLER).concurrency(2), (order, context) -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    two.await(60, TimeUnit.SECONDS);
                    inside.decrementAndGet();
                    seen.add(order.order());
                });
        IntStream.range(0, 10).forEach(i -> place("o" + i));

        worker(handlers).start();

        assertThat(take(10)).doesNotHaveDuplicates();
        assertThat(most).hasValue(2);
    }

    @Test
    void a_slow_handler_does_not_hold_up_another() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Handlers handlers = onOrder((order, context) -> goOn.await())
                .on(OrderPlaced.class, "quick", (order, context) -> seen.add(order.order()));
        worker(NEVER_POLLS, handlers).start();

        place("o1");
        take(1);
        place("o2");
        take(1);
        goOn.countDown();
    }

    @Test
    void stopping_lets_the_handler_finish_and_hands_back_what_waits() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        place("o1");
        place("o2");
        place("o3");
        Worker worker = worker(WorkerOptions.of(NS).stopGrace(Duration.ofMinutes(1)), onOrder((order, context) -> {
                    inside.countDown();
                    goOn.await();
                    context.ensure(new Invoice(order.order(), 1));
                    context.commit();
                }))
                .start();

        assertThat(inside.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(worker::close);
        while (bus().list(NS, 10).stream().filter(this::isClaimed).count() > 1) {
            Thread.onSpinWait();
        }
        boolean early = closing.isDone();
        goOn.countDown();
        closing.get(60, TimeUnit.SECONDS);

        assertThat(early).isFalse();
        assertThat(entities("Invoice")).hasSize(1);
        assertThat(bus().list(NS, 10))
                .extracting(ListedEvent::status)
                .containsExactlyInAnyOrder(EventStatus.ACKED, EventStatus.PENDING, EventStatus.PENDING);
        assertThat(bus().claim(wanted("next", HANDLER, 10, "order.placed"))).hasSize(2);
    }

    private boolean isClaimed(ListedEvent listed) {
        return listed.status() == EventStatus.CLAIMED;
    }

    @Test
    void stopping_hands_back_what_is_not_finished_in_time_and_its_commit_is_refused() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Event event = place("o1");
        Worker worker = worker(WorkerOptions.of(NS).stopGrace(Duration.ZERO), onOrder((order, context) -> {
                    inside.countDown();
                    goOn.await();
                    context.ensure(new Invoice("late", 1));
                    try {
                        context.commit();
                    } catch (ClaimLostException e) {
                        seen.add("refused");
                    }
                }))
                .start();

        assertThat(inside.await(60, TimeUnit.SECONDS)).isTrue();
        worker.close();
        var claims = bus().claim(wanted("next", HANDLER, 10, "order.placed"));
        goOn.countDown();

        assertThat(take(1)).containsExactly("refused");
        assertThat(claims).hasSize(1);
        assertThat(state(event).attempts()).isZero();
        assertThat(entities("Invoice")).isEmpty();
    }

    @Test
    void a_worker_is_started_or_stepped_but_not_both() {
        Worker worker = worker(onOrder((order, context) -> {})).start();

        assertThatThrownBy(worker::step).hasMessageContaining("it was started");
        assertThatThrownBy(worker::start).hasMessageContaining("it was started");
    }

    @Test
    void trouble_with_the_store_is_told_and_does_not_end_the_worker() throws Exception {
        BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        var session = session();
        Worker worker = Worker.of(
                        session,
                        WorkerOptions.of(NS).onFailure(trouble -> troubles.add(String.valueOf(trouble.getMessage()))),
                        onOrder((order, context) -> {}))
                .start();

        session.close();
        place("o1");

        assertThat(troubles.poll(60, TimeUnit.SECONDS)).isNotNull();
        worker.close();
    }
}
