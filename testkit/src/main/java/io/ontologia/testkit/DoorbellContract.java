package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.NewEvent;
import io.ontologia.core.Outbox;
import io.ontologia.core.Session;
import io.ontologia.core.spi.EventStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A process is told at once of what it enqueues itself, whichever opening of the store does it. */
public abstract class DoorbellContract extends EventSuite {
    @Test
    void who_listens_is_told_of_what_is_enqueued_on_whatever_opening() {
        List<String> heard = new ArrayList<>();
        EventStore another = anotherBus();
        EventStore.Registration registration = bus().onEnqueue(NS, () -> heard.add("rung"));

        another.enqueue(List.of(order(1)));
        another.enqueue(List.of(NewEvent.of("elsewhere", "order", Map.of())));
        registration.close();
        another.enqueue(List.of(order(2)));

        assertThat(heard).containsExactly("rung");
    }

    @Test
    void who_listens_is_told_of_a_commits_events() {
        List<String> heard = new ArrayList<>();
        bus().onEnqueue(NS, () -> heard.add("rung"));
        try (Session session = open(CUSTOMER)) {
            want(session, "c1", "Alice");

            session.commit(Map.of(), Outbox.of(order(1)));

            assertThat(heard).containsExactly("rung");
        }
    }

    @Test
    void a_dead_letter_and_a_replay_ring_too() {
        List<String> heard = new ArrayList<>();
        var event = enqueue(order(1));
        bus().onEnqueue(NS, () -> heard.add("rung"));

        failUntilDead(attempts(1));
        bus().replay(NS, event.id());

        assertThat(heard).hasSize(2);
    }
}
