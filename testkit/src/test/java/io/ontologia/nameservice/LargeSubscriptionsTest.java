package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many more records than a queue has room for, and trouble while they are read. */
class LargeSubscriptionsTest {
    private static final int RECORDS = 3000;
    private static final int CAPACITY = 1024;
    private static final Alias A = Alias.parse("r0");

    private final Nameservice memory =
            Nameservices.open("memory:", NameserviceOptions.defaults().clock(new SettableClock()));
    /** What happens after the next page of a listing. */
    private Runnable afterPage = () -> {};

    private final Subscriptions subscriptions = new Subscriptions(new ForwardingNameservice(memory) {
        @Override
        public NamePage list(NameQuery query) {
            NamePage page = super.list(query);
            Runnable once = afterPage;
            afterPage = () -> {};
            once.run();
            return page;
        }
    });

    @BeforeEach
    void create() {
        for (int i = 0; i < RECORDS; i++) {
            memory.create(NewRecord.ledger(Alias.parse("r" + i)));
        }
    }

    @Test
    void a_push_while_a_long_snapshot_is_read_is_told_after_it() {
        afterPage = () -> push(1);

        List<NameEvent> events = drain(subscriptions.subscribe(NameFilter.all(), CAPACITY));

        assertThat(events).hasSize(RECORDS + 2);
        assertThat(events.get(RECORDS)).isEqualTo(new NameEvent.Live());
        assertThat(events.get(RECORDS + 1)).isInstanceOf(NameEvent.Moved.class);
    }

    @Test
    void a_poll_while_a_long_snapshot_is_read_does_not_make_it_start_over() {
        afterPage = () -> subscriptions.poller(Duration.ofSeconds(1)).step();

        List<NameEvent> events = drain(subscriptions.subscribe(NameFilter.all(), CAPACITY));

        assertThat(events).hasSize(RECORDS + 1).doesNotContain(new NameEvent.Resync());
    }

    @Test
    void news_that_come_before_a_long_snapshot_is_taken_do_not_drop_it() {
        Subscription subscription = subscriptions.subscribe(NameFilter.all(), CAPACITY);
        push(CAPACITY);

        List<NameEvent> events = drain(subscription);

        assertThat(events).hasSize(RECORDS + 1 + CAPACITY).doesNotContain(new NameEvent.Resync());
    }

    @Test
    void too_many_news_while_a_long_snapshot_is_read_start_it_over() {
        afterPage = () -> push(CAPACITY + 1);
        Subscription subscription = subscriptions.subscribe(NameFilter.all(), CAPACITY);

        List<NameEvent> events = drain(subscription);

        assertThat(events).hasSize(RECORDS + 2).startsWith(new NameEvent.Resync());
        assertThat(events.get(RECORDS + 1)).isEqualTo(new NameEvent.Live());
    }

    @Test
    void whatever_ends_a_start_leaves_no_subscription_behind_and_the_poller_goes_on() {
        afterPage = () -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> subscriptions.subscribe(NameFilter.all(), CAPACITY))
                .isInstanceOf(IllegalStateException.class);
        int[] pages = {0};
        afterPage = () -> pages[0]++;
        subscriptions.poller(Duration.ofSeconds(1)).step();
        int pagesWithoutSubscribers = pages[0];
        afterPage = () -> {};
        Subscription subscription = subscriptions.subscribe(NameFilter.all(), CAPACITY);
        drain(subscription);
        afterPage = () -> {
            throw new IllegalStateException("broken");
        };

        Optional<Duration> again = subscriptions.poller(Duration.ofSeconds(1)).step();

        assertThat(pagesWithoutSubscribers).isZero();
        assertThat(again).contains(Duration.ofSeconds(1));
    }

    private void push(int times) {
        for (int i = 0; i < times; i++) {
            ConcernValue current = memory.concern(A, Concern.INDEX).orElseThrow();
            subscriptions.observed().push(A, Concern.INDEX, current, current.next(ConcernPayload.of(Map.of("n", i))));
        }
    }

    private static List<NameEvent> drain(Subscription subscription) {
        List<NameEvent> events = new ArrayList<>();
        // Empty once where a start was given up.
        for (int empty = 0; empty < 2; ) {
            Optional<NameEvent> event = subscription.poll();
            event.ifPresent(events::add);
            empty = event.isPresent() ? 0 : empty + 1;
        }
        return events;
    }
}
