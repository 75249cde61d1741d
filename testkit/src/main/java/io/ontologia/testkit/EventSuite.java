package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.ClaimState;
import io.ontologia.core.EntityType;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/**
 * What the contract suites for the event bus share ({@link EventBusContract}, {@link EventRecordsContract}, {@link
 * OutboxContract}, {@link DoorbellContract}): a bus on the store of the test, and short ways to enqueue and claim.
 */
public abstract class EventSuite extends StorageSuite {
    /** The namespace that most tests work in. */
    protected static final String NS = "shop";

    /** The handler that most tests claim for. */
    protected static final String HANDLER = "billing.handle_order";

    /** The session that most tests claim as. */
    protected static final String WORKER = "worker-1";

    /** The options of {@link #bus()}. */
    protected static final EventOptions OPTIONS = EventOptions.defaults();

    /** A type to commit rows of. */
    protected static final EntityType CUSTOMER = entityType("Customer", text("name"));

    private final List<Session> opened = new ArrayList<>();

    /** The bus of this test's store. */
    protected final EventStore bus() {
        return bus(OPTIONS);
    }

    /** The bus of this test's store, with other options. */
    protected final EventStore bus(EventOptions options) {
        if (opened.isEmpty()) {
            opened.add(Ontologia.openStored(uri(), options("bus")));
        }
        return opened.get(0).storage().events(options);
    }

    /** A bus of its own on this test's store, as another worker has it. */
    protected final EventStore anotherBus() {
        Session session = Ontologia.openStored(uri(), options("another"));
        opened.add(session);
        return session.storage().events(OPTIONS);
    }

    @AfterEach
    final void closeBuses() {
        opened.forEach(Session::close);
    }

    /** Options with few attempts. */
    protected static EventOptions attempts(int count) {
        return EventOptions.of(Map.of("event_max_attempts", String.valueOf(count)));
    }

    /** An event of the type {@code order}. */
    protected static NewEvent order(long number) {
        return NewEvent.of(NS, "order", Map.of("n", number));
    }

    /** Enqueues one event. */
    protected final Event enqueue(NewEvent event) {
        return bus().enqueue(List.of(event)).get(0);
    }

    /** Asks for events of the type {@code order}. */
    protected static ClaimRequest wanted(String session, String handler, int limit) {
        return wanted(session, handler, limit, "order");
    }

    /** Asks for events of some types. */
    protected static ClaimRequest wanted(String session, String handler, int limit, String... types) {
        return new ClaimRequest(NS, session, List.of(new ClaimRequest.Subscription(handler, Set.of(types), limit)));
    }

    /** Claims what there is for {@link #HANDLER}. */
    protected final List<Claim> claimAll() {
        return bus().claim(wanted(WORKER, HANDLER, 100));
    }

    /** Claims the only event that there is to claim. */
    protected final Claim claimOne() {
        List<Claim> claims = claimAll();
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    /** The ids of the events that claims are on. */
    protected static List<String> ids(List<Claim> claims) {
        return claims.stream().map(claim -> claim.event().id()).toList();
    }

    /** The state of {@link #HANDLER} with an event. */
    protected final ClaimState state(Event event) {
        return bus().inspect(NS, event.id()).orElseThrow().claims().stream()
                .filter(claim -> claim.handlerId().equals(HANDLER))
                .findFirst()
                .orElseThrow();
    }

    /** The one event of a type that is listed. */
    protected final Event listed(String type) {
        List<Event> found = bus().list(NS, 1000).stream()
                .map(ListedEvent::event)
                .filter(event -> event.type().equals(type))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    /** Asks for a customer to be so. */
    protected static void want(Session session, String key, String name) {
        session.ensure(entity("Customer", key, Map.of("id", key, "name", name)));
    }

    /** Lets time pass. */
    protected final void pass(Duration time) {
        clock.advance(time);
    }

    /** Now. */
    protected final Instant now() {
        return clock.now();
    }

    /** Acknowledges a claim that must be live. */
    protected final void ack(Claim claim) {
        assertThat(bus().ack(List.of(claim))).containsExactly(new ClaimOutcome.Done());
    }

    /** Claims and fails so often with the only event that there is, waiting as long as it takes. */
    protected final ClaimOutcome failUntilDead(EventOptions options) {
        ClaimOutcome last = new ClaimOutcome.LostClaim();
        for (int i = 0; i < options.maxAttempts(); i++) {
            last = bus(options).release(claimOne(), "broken " + (i + 1));
            pass(Duration.ofMinutes(1));
        }
        return last;
    }
}
