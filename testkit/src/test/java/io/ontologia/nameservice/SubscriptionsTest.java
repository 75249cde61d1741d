package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Step;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubscriptionsTest {
    private static final Alias A = Alias.parse("a");
    private static final Alias B = Alias.parse("b");

    private final SettableClock clock = new SettableClock();
    /** What other processes write through. */
    private final Nameservice others =
            Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));

    private final Subscriptions subscriptions = new Subscriptions(others);
    private final Nameservice names = subscriptions.observed();
    private final Step poller = subscriptions.poller(Duration.ofSeconds(1));

    @BeforeEach
    void create() {
        names.create(NewRecord.ledger(A));
        names.create(NewRecord.ledger(B));
    }

    @Test
    void a_subscriber_gets_what_is_there_and_then_what_happens() {
        ConcernValue first = push(names, A, Concern.HEAD);
        Subscription subscription = subscriptions.subscribe(NameFilter.all());
        ConcernValue second = push(names, A, Concern.HEAD);

        List<NameEvent> events = drain(subscription);

        assertThat(events).hasSize(4);
        assertThat(events.subList(0, 2))
                .containsExactlyInAnyOrder(
                        new NameEvent.Snapshot(others.lookup(A).orElseThrow().with(Concern.HEAD, first)),
                        new NameEvent.Snapshot(others.lookup(B).orElseThrow()));
        assertThat(events.get(2)).isEqualTo(new NameEvent.Live());
        assertThat(events.get(3)).isEqualTo(moved(A, Concern.HEAD, second));
    }

    @Test
    void each_accepted_push_is_told_once_and_a_refused_one_never_also_when_polls_come_between() {
        Subscription subscription = started(NameFilter.all());
        List<NameEvent> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            expected.add(moved(A, Concern.INDEX, push(names, A, Concern.INDEX)));
            names.push(A, Concern.INDEX, ConcernValue.unborn(), ConcernValue.of(99, Map.of("x", i)));
            poller.step();
        }

        assertThat(drain(subscription)).isEqualTo(expected);
    }

    @Test
    void what_others_push_is_found_by_polling_the_latest_of_each_concern() {
        Subscription subscription = started(NameFilter.all());
        push(others, A, Concern.HEAD);
        ConcernValue head = push(others, A, Concern.HEAD);
        ConcernValue config = push(others, B, Concern.CONFIG);

        List<NameEvent> before = drain(subscription);
        poller.step();
        poller.step();

        assertThat(before).isEmpty();
        assertThat(drain(subscription))
                .containsExactlyInAnyOrder(moved(A, Concern.HEAD, head), moved(B, Concern.CONFIG, config));
    }

    @Test
    void subscribers_hear_only_what_they_asked_for() {
        names.create(NewRecord.of(Alias.parse("vg:s"), EntityType.BM25));
        Subscription ofA = started(NameFilter.all().alias(A));
        Subscription heads = started(NameFilter.all().concern(Concern.HEAD));
        Subscription graphs = started(NameFilter.all().type(EntityType.BM25));

        ConcernValue headOfA = push(names, A, Concern.HEAD);
        ConcernValue configOfA = push(names, A, Concern.CONFIG);
        ConcernValue headOfB = push(names, B, Concern.HEAD);
        ConcernValue index = push(names, Alias.parse("vg:s"), Concern.INDEX);

        assertThat(drain(ofA)).containsExactly(moved(A, Concern.HEAD, headOfA), moved(A, Concern.CONFIG, configOfA));
        assertThat(drain(heads)).containsExactly(moved(A, Concern.HEAD, headOfA), moved(B, Concern.HEAD, headOfB));
        assertThat(drain(graphs))
                .containsExactly(new NameEvent.Moved(Alias.parse("vg:s"), EntityType.BM25, Concern.INDEX, index));
    }

    @Test
    void a_retraction_is_told_once_and_so_are_creation_and_purge() {
        Subscription subscription = started(NameFilter.all());

        names.retract(A, "");
        ConcernValue retracted = others.concern(A, Concern.STATUS).orElseThrow();
        poller.step();
        poller.step();
        names.purge(A);
        poller.step();
        NameRecord anew = ((CreateOutcome.Created) names.create(NewRecord.ledger(A))).record();
        poller.step();

        assertThat(drain(subscription))
                .containsExactly(
                        moved(A, Concern.STATUS, retracted),
                        new NameEvent.Purged(A, EntityType.LEDGER),
                        new NameEvent.Created(anew));
    }

    @Test
    void records_that_others_create_purge_and_create_again_are_found_by_polling() {
        Subscription subscription = started(NameFilter.all());
        Alias c = Alias.parse("c");

        others.create(NewRecord.ledger(c));
        push(others, c, Concern.HEAD);
        poller.step();
        NameRecord first = others.lookup(c).orElseThrow();
        others.retract(c, "");
        others.purge(c);
        poller.step();
        clock.advance(Duration.ofSeconds(5));
        others.create(NewRecord.ledger(c));
        poller.step();

        assertThat(drain(subscription))
                .containsExactly(
                        new NameEvent.Created(first),
                        new NameEvent.Purged(c, EntityType.LEDGER),
                        new NameEvent.Created(others.lookup(c).orElseThrow()));
    }

    @Test
    void a_record_that_others_purged_and_created_again_between_two_polls_is_told() {
        Subscription subscription = started(NameFilter.all());
        Alias c = Alias.parse("c");
        others.create(NewRecord.ledger(c));
        push(others, c, Concern.HEAD);
        poller.step();
        NameRecord first = others.lookup(c).orElseThrow();

        others.retract(c, "");
        others.purge(c);
        others.create(NewRecord.ledger(c));
        push(others, c, Concern.HEAD);
        poller.step();

        NameRecord second = others.lookup(c).orElseThrow();
        assertThat(second).isEqualTo(first);
        assertThat(drain(subscription))
                .containsExactly(
                        new NameEvent.Created(first),
                        new NameEvent.Purged(c, EntityType.LEDGER),
                        new NameEvent.Created(second));
    }

    @Test
    void a_push_to_a_record_that_nobody_polled_yet_is_told() {
        Subscription subscription = started(NameFilter.all());
        Alias c = Alias.parse("c");
        others.create(NewRecord.ledger(c));

        push(names, c, Concern.HEAD);

        assertThat(drain(subscription))
                .containsExactly(new NameEvent.Created(others.lookup(c).orElseThrow()));
    }

    @Test
    void a_slow_subscriber_is_told_to_start_over() {
        Subscription subscription = subscriptions.subscribe(NameFilter.all().alias(A), 3);
        drain(subscription);
        for (int i = 0; i < 5; i++) {
            push(names, A, Concern.HEAD);
        }
        NameRecord latest = others.lookup(A).orElseThrow();

        List<NameEvent> events = drain(subscription);
        ConcernValue next = push(names, A, Concern.HEAD);

        assertThat(events)
                .containsExactly(new NameEvent.Resync(), new NameEvent.Snapshot(latest), new NameEvent.Live());
        assertThat(drain(subscription)).containsExactly(moved(A, Concern.HEAD, next));
    }

    @Test
    void secrets_are_not_told() {
        Subscription subscription = started(NameFilter.all());

        names.push(
                A, Concern.CONFIG, ConcernValue.unborn(), ConcernValue.of(1, Map.of("password", "hunter2", "k1", 2)));

        assertThat(drain(subscription))
                .containsExactly(
                        moved(A, Concern.CONFIG, ConcernValue.of(1, Map.of("password", Redaction.MARK, "k1", 2))));
    }

    @Test
    void a_closed_subscription_says_nothing_more() {
        Subscription subscription = started(NameFilter.all());
        push(names, A, Concern.HEAD);
        subscription.close();
        push(names, A, Concern.HEAD);

        assertThat(subscription.poll()).isEmpty();
        assertThat(subscription.next(Duration.ofMinutes(1))).isEmpty();
    }

    @Test
    void a_poll_that_read_a_record_before_its_first_push_is_not_taken_for_another_record() {
        AtomicReference<Runnable> afterReading = new AtomicReference<>(() -> {});
        Nameservice slow = new ForwardingNameservice(others) {
            @Override
            public Optional<NameRecord> lookup(Alias alias) {
                Optional<NameRecord> read = super.lookup(alias);
                afterReading.getAndSet(() -> {}).run();
                return read;
            }
        };
        try (Subscriptions late = new Subscriptions(slow)) {
            Subscription subscription = late.subscribe(NameFilter.all().alias(A));
            drain(subscription);
            List<ConcernValue> pushed = new ArrayList<>();
            afterReading.set(() -> pushed.add(push(late.observed(), A, Concern.HEAD)));

            late.poller(Duration.ofSeconds(1)).step();

            assertThat(drain(subscription)).containsExactly(moved(A, Concern.HEAD, pushed.get(0)));
        }
    }

    @Test
    void no_push_is_missed_or_told_twice_while_subscribers_come() throws Exception {
        int pushes = 300;
        CyclicBarrier start = new CyclicBarrier(3);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Concern concern : List.of(Concern.HEAD, Concern.INDEX)) {
                Future<?> unused = threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < pushes; i++) {
                        push(names, A, concern);
                    }
                    return null;
                });
            }
            start.await();
            List<Subscription> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(subscriptions.subscribe(NameFilter.all().alias(A)));
                poller.step();
            }

            for (Subscription subscription : all) {
                Map<Concern, Long> last = new java.util.EnumMap<>(Concern.class);
                while (last.getOrDefault(Concern.HEAD, 0L) < pushes || last.getOrDefault(Concern.INDEX, 0L) < pushes) {
                    NameEvent event = subscription.next(Duration.ofMinutes(1)).orElseThrow();
                    if (event instanceof NameEvent.Snapshot snapshot) {
                        last.put(Concern.HEAD, snapshot.record().head().watermark());
                        last.put(Concern.INDEX, snapshot.record().index().watermark());
                    } else if (event instanceof NameEvent.Moved moved) {
                        assertThat(moved.value().watermark()).isEqualTo(last.getOrDefault(moved.concern(), 0L) + 1);
                        last.put(moved.concern(), moved.value().watermark());
                    }
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Subscription started(NameFilter filter) {
        Subscription subscription = subscriptions.subscribe(filter);
        List<NameEvent> events = drain(subscription);
        assertThat(events.get(events.size() - 1)).isEqualTo(new NameEvent.Live());
        return subscription;
    }

    private static NameEvent moved(Alias alias, Concern concern, ConcernValue value) {
        return new NameEvent.Moved(alias, EntityType.LEDGER, concern, value);
    }

    private static List<NameEvent> drain(Subscription subscription) {
        List<NameEvent> events = new ArrayList<>();
        for (Optional<NameEvent> event = subscription.poll(); event.isPresent(); event = subscription.poll()) {
            events.add(event.get());
        }
        return events;
    }

    private static ConcernValue push(Nameservice to, Alias alias, Concern concern) {
        ConcernValue current = to.concern(alias, concern).orElseThrow();
        ConcernValue next = current.next(ConcernPayload.of(Map.of("k1", current.watermark())));
        assertThat(to.push(alias, concern, current, next)).isEqualTo(new PushOutcome.Updated(next));
        return next;
    }
}
