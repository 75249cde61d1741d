package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.CountingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many requests the event bus costs. */
class EventRequestsTest {
    private static final int RETAINED = 10_000;

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final CountingObjectStore counting = new CountingObjectStore(server);
    private final List<Session> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Session::close);
    }

    private EventStore process(ObjectStore store) {
        Session session = Ontologia.openStored(
                TestStoreProvider.uriOf(store),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)));
        opened.add(session);
        return session.storage().events(EventOptions.defaults());
    }

    private static NewEvent event(long n) {
        return NewEvent.of("shop", "order", Map.of("n", n));
    }

    private static ClaimRequest request(int limit, String... handlers) {
        return new ClaimRequest(
                "shop",
                "worker",
                List.of(handlers).stream()
                        .map(handler -> new ClaimRequest.Subscription(handler, Set.of("order"), limit))
                        .toList());
    }

    /** A namespace in which everything is done. */
    private EventStore finished(int count) {
        EventStore other = process(server);
        for (int i = 0; i < count; i += 500) {
            int first = i;
            clock.advance(Duration.ofMillis(10));
            other.enqueue(IntStream.range(first, Math.min(count, first + 500))
                    .mapToObj(EventRequestsTest::event)
                    .toList());
        }
        List<Claim> claims = other.claim(request(count, "handler"));
        assertThat(claims).hasSize(count);
        other.ack(claims);
        return other;
    }

    private int poll(EventStore bus, int expected, String... handlers) {
        clock.advance(Duration.ofSeconds(1));
        counting.reset();
        assertThat(bus.claim(request(100, handlers))).hasSize(expected);
        return counting.total();
    }

    @Test
    void a_poll_costs_the_same_however_much_is_retained() {
        EventStore other = finished(RETAINED);
        EventStore worker = process(counting);
        poll(worker, 0, "handler");
        // Nobody needs to read an event whose claim says that it is done.
        assertThat(counting.count(StoreOperation.GET)).isLessThan(RETAINED + 10);

        for (int i = 0; i < 30; i++) {
            assertThat(poll(worker, 0, "handler")).isLessThanOrEqualTo(2);
        }

        other.enqueue(List.of(event(1)));
        // One more to fetch the event, and one to claim it.
        assertThat(poll(worker, 1, "handler")).isLessThanOrEqualTo(2 + 2);
        assertThat(poll(worker, 0, "handler")).isLessThanOrEqualTo(2);
    }

    @Test
    void an_idle_worker_with_many_handlers_and_a_heartbeat_makes_two_requests_in_an_interval() {
        finished(300);
        EventStore worker = process(counting);
        worker.registerSession("shop", "worker", Map.of());
        ClaimRequest request = new ClaimRequest(
                "shop",
                "worker",
                List.of(
                        new ClaimRequest.Subscription("handler", Set.of("order"), 10),
                        new ClaimRequest.Subscription("idle", Set.of("nothing"), 10)));
        worker.claim(request);

        for (int i = 0; i < 20; i++) {
            clock.advance(Duration.ofSeconds(1));
            counting.reset();
            if (i % 5 == 0) {
                worker.heartbeat("shop", "worker");
            }

            List<Claim> claims = worker.claim(request);

            assertThat(claims).isEmpty();
            assertThat(counting.total()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void heartbeats_do_not_put_off_the_outbox_forever() {
        EventStore worker = process(counting);
        worker.claim(request(1, "handler"));
        int looks = 0;

        for (int i = 0; i < 10; i++) {
            worker.heartbeat("shop", "worker");
            counting.reset();
            worker.claim(request(1, "handler"));
            looks += counting.count(StoreOperation.GET);
        }

        assertThat(looks).isEqualTo(5);
    }

    @Test
    void a_key_that_appears_far_behind_is_found_in_the_end() {
        EventStore other = finished(3_000);
        EventStore worker = process(counting);
        poll(worker, 0, "handler");

        other.enqueue(List.of(event(1).identity("late", clock.now().minus(Duration.ofDays(300)))));
        List<String> found = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofSeconds(1));
            worker.claim(request(10, "handler"))
                    .forEach(claim -> found.add(claim.event().id()));
        }

        assertThat(found).containsExactly("late");
    }

    @Test
    void what_another_process_cleaned_up_is_forgotten_in_the_end() {
        EventStore other = process(server);
        other.enqueue(IntStream.range(0, 500).mapToObj(EventRequestsTest::event).toList());
        EventStore worker = process(counting);
        assertThat(worker.claim(request(1, "handler"))).hasSize(1);

        other.cleanup("shop", clock.now().plusSeconds(1));
        for (int i = 0; i < 4; i++) {
            worker.claim(new ClaimRequest(
                    "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 0))));
        }

        assertThat(worker.claim(request(10, "handler"))).isEmpty();
    }

    @Test
    void claiming_and_acknowledging_cost_one_request_for_each_event() {
        EventStore worker = process(counting);
        worker.claim(request(1, "handler"));
        counting.reset();
        worker.enqueue(
                IntStream.range(0, 100).mapToObj(EventRequestsTest::event).toList());
        assertThat(counting.total()).isEqualTo(100);

        counting.reset();
        List<Claim> claims = worker.claim(request(100, "handler"));
        // A listing, a look at the outbox, and for each event a read and a claim.
        assertThat(counting.total()).isEqualTo(2 + 200);

        counting.reset();
        worker.ack(claims);
        assertThat(counting.total()).isEqualTo(100);
    }
}
