package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.CopyResult;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventOptions;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Outbox;
import io.ontologia.core.Session;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the event bus of a store is copied with it. */
public abstract class EventCopyContract extends CopySuite {
    private static final OntologyType CUSTOMER = entityType("Customer", text("name"));

    private void store() {
        commit(List.of(CUSTOMER), entity("Customer", "c1", Map.of("name", "Alice")));
    }

    private static EventStore bus(Maintenance store) {
        return store.storage().events(EventOptions.defaults());
    }

    private static List<Claim> claim(EventStore bus, String namespace, int limit) {
        return bus.claim(new ClaimRequest(
                namespace, "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), limit))));
    }

    private NewEvent order(String namespace, long priority) {
        return NewEvent.of(namespace, "order", Map.of("n", priority, "text", "ä"))
                .priority(priority);
    }

    /** Everything that the event bus says. */
    private static List<Object> everything(EventStore bus) {
        List<Object> answers = new ArrayList<>(bus.namespaces());
        for (EventNamespace namespace : bus.namespaces()) {
            answers.add(bus.sessions(namespace.name()));
            answers.add(bus.deadLetters(namespace.name(), 100));
            for (ListedEvent listed : bus.list(namespace.name(), 100)) {
                answers.add(bus.inspect(namespace.name(), listed.event().id()).orElseThrow());
            }
        }
        return answers;
    }

    /** Of each kind one: finished, failed for good, failed once, claimed, and two that wait; and one elsewhere. */
    private void fillBus() {
        try (Maintenance original = maintain()) {
            EventStore bus = bus(original);
            bus.enqueue(List.of(
                    order("shop", 6),
                    order("shop", 5),
                    order("shop", 4),
                    order("shop", 3),
                    order("shop", 2),
                    order("shop", 1),
                    order("otherwhere / é", 1)));
            bus.registerSession("shop", "worker", Map.of("host", "a", "list", List.of(1L)));
            bus.ack(claim(bus, "shop", 1));
            Claim dying = claim(bus, "shop", 1).get(0);
            while (bus.release(dying, "no use") instanceof ClaimOutcome.Retry) {
                clock.advance(Duration.ofHours(2));
                dying = claim(bus, "shop", 1).get(0);
            }
            bus.release(claim(bus, "shop", 1).get(0), "once");
            claim(bus, "shop", 1);
        }
    }

    @Test
    void the_event_bus_goes_along() {
        store();
        fillBus();

        CopyResult result = copy();

        // The eighth tells of the dead letter.
        assertThat(result.events()).isEqualTo(8);
        try (Maintenance original = maintain();
                Maintenance copy = copyTarget()) {
            assertThat(everything(bus(copy))).isEqualTo(everything(bus(original)));
            assertThat(bus(copy).deadLetters("shop", 10)).hasSize(1);
            clock.advance(Duration.ofDays(1));
            assertThat(claim(bus(copy), "shop", 10))
                    .extracting(one -> one.event().priority())
                    .containsExactly(4L, 3L, 2L, 1L);
        }
    }

    @Test
    void events_of_a_commit_go_along_once() {
        try (Session session = open(CUSTOMER)) {
            session.ensure(entity("Customer", "c1", Map.of("name", "Alice")));
            session.commit(Map.of(), Outbox.of(order("shop", 1)));
        }

        copy();

        try (Maintenance copy = copyTarget()) {
            assertThat(claim(bus(copy), "shop", 10)).hasSize(1);
            assertThat(bus(copy).list("shop", 10)).hasSize(1);
        }
    }

    @Test
    void a_store_with_events_takes_no_copy() {
        store();
        try (Maintenance copy = copyTarget()) {
            bus(copy).enqueue(List.of(order("shop", 1)));
        }

        assertThatThrownBy(this::copy)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                .hasMessageContaining("events already");
    }
}
