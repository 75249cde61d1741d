package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.EventStatus;
import io.ontologia.core.FieldDef;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.Model;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.CountingObjectStore;
import io.ontologia.testkit.Fault;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process dies before its n-th request, or the reply to that request is lost, for every n. Then a commit has its events,
 * each once, or there is no commit and no event; an event that failed for the last time has its dead letter, and is never
 * handled again; and what was cleaned up does not come back.
 */
class EventCrashIT {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final EventOptions OPTIONS = EventOptions.of(Map.of("event_max_attempts", "2"));
    private static final EntityType CUSTOMER = new EntityType(
            "Customer", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id");

    private final SettableClock clock = new SettableClock();

    /** What the process does until something goes wrong. */
    private interface Work {
        void run(String uri);
    }

    /** What must be true afterwards. */
    private interface Afterwards {
        void check(ObjectStore server, Fate fate);
    }

    /** What became of the process, as far as it knows. */
    private enum Fate {
        DONE,
        FAILED,
        CRASHED
    }

    private interface Preparation {
        void run(ObjectStore server);
    }

    static List<Fault> faults() {
        return List.of(new Fault.Crash(), new Fault.LoseReply(), new Fault.LoseRequest(), new Fault.LandLate(1));
    }

    private int atEveryRequest(Fault fault, Preparation prepare, Work work, Afterwards afterwards) {
        int total = requests(prepare, work);
        for (int request = 1; request <= total; request++) {
            ObjectStore server = ObjectStores.open("memory:", clock);
            prepare.run(server);
            FaultPlan plan =
                    fault instanceof Fault.Crash ? FaultPlan.crashBefore(request) : FaultPlan.at(request, fault);
            FaultyObjectStore client = new FaultyObjectStore(server, plan);
            Fate fate = Fate.DONE;
            try {
                work.run(TestStoreProvider.uriOf(client));
            } catch (StoreCrashed e) {
                fate = Fate.CRASHED;
            } catch (OntologiaException e) {
                fate = Fate.FAILED;
            }
            client.deliverLateRequests();
            clock.advance(LEASE.multipliedBy(2));
            afterwards.check(server, fate);
        }
        return total;
    }

    /** How many requests the work makes when nothing goes wrong. */
    private int requests(Preparation prepare, Work work) {
        ObjectStore server = ObjectStores.open("memory:", clock);
        prepare.run(server);
        CountingObjectStore counting = new CountingObjectStore(server);
        work.run(TestStoreProvider.uriOf(counting));
        return counting.total();
    }

    private SessionOptions options() {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults().clock(clock).leaseTtl(LEASE));
    }

    private Session open(String uri) {
        return Ontologia.open(uri, options(), Model.of(CUSTOMER));
    }

    private static NewEvent event(String type) {
        return NewEvent.of("shop", type, Map.of());
    }

    private static ClaimRequest request(String type) {
        return new ClaimRequest("shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of(type), 10)));
    }

    /** Claims and acknowledges everything of a type, in a process of its own. */
    private List<String> drain(ObjectStore server, String type) {
        try (Session session = open(TestStoreProvider.uriOf(server))) {
            EventStore bus = session.storage().events(OPTIONS);
            List<Claim> claims = bus.claim(request(type));
            bus.ack(claims);
            return claims.stream().map(claim -> claim.event().id()).toList();
        }
    }

    private static void twoCommits(Session session) {
        for (long n = 1; n <= 2; n++) {
            session.ensure(new Row.OfEntity("Customer", "c", Map.of("n", n)));
            CommitResult result = session.commit(Map.of(), Outbox.of(event("changed"), event("changed")));
            assertThat(result).isInstanceOf(CommitResult.Committed.class);
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void a_commit_and_its_events_are_one(Fault fault) {
        int requests = atEveryRequest(
                fault,
                server -> {
                    try (Session session = open(TestStoreProvider.uriOf(server))) {
                        assertThat(session.head()).isZero();
                    }
                },
                uri -> {
                    try (Session session = open(uri)) {
                        twoCommits(session);
                    }
                },
                (server, fate) -> {
                    List<String> first = drain(server, "changed");
                    List<String> second = drain(server, "changed");
                    long head;
                    try (Session session = open(TestStoreProvider.uriOf(server))) {
                        head = session.head();
                    }
                    assertThat(first).hasSize((int) head * 2).doesNotHaveDuplicates();
                    assertThat(second).isEmpty();
                    if (fate == Fate.DONE) {
                        assertThat(head).isEqualTo(2);
                    }
                });

        assertThat(requests).isGreaterThan(12);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void the_last_failure_leaves_one_dead_letter_and_one_event_that_tells_of_it(Fault fault) {
        int requests = atEveryRequest(
                fault,
                server -> {
                    try (Session session = open(TestStoreProvider.uriOf(server))) {
                        EventStore bus = session.storage().events(OPTIONS);
                        bus.enqueue(List.of(event("order")));
                        bus.release(bus.claim(request("order")).get(0), "first");
                        clock.advance(LEASE);
                    }
                },
                uri -> {
                    try (Session session = open(uri)) {
                        EventStore bus = session.storage().events(OPTIONS);
                        bus.release(bus.claim(request("order")).get(0), "second");
                    }
                },
                (server, fate) -> {
                    List<String> handledAgain = drain(server, "order");
                    List<String> told = drain(server, Event.DEAD_LETTER);
                    try (Session session = open(TestStoreProvider.uriOf(server))) {
                        EventStore bus = session.storage().events(OPTIONS);
                        if (handledAgain.isEmpty()) {
                            assertThat(bus.deadLetters("shop", 10)).hasSize(1);
                            assertThat(bus.deadLetters("shop", 10).get(0).lastError())
                                    .isEqualTo("second");
                            assertThat(told).hasSize(1);
                            assertThat(statuses(bus)).contains(EventStatus.DEAD_LETTERED);
                        } else {
                            // The failure was not noted, so nobody was told of it.
                            assertThat(fate).isNotEqualTo(Fate.DONE);
                            assertThat(bus.deadLetters("shop", 10)).isEmpty();
                            assertThat(told).isEmpty();
                        }
                    }
                });

        assertThat(requests).isGreaterThan(8);
    }

    private static List<EventStatus> statuses(EventStore bus) {
        return bus.list("shop", 100).stream().map(ListedEvent::status).toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void what_is_cleaned_up_is_not_handled_again(Fault fault) {
        List<String> handledBefore = new ArrayList<>();
        int requests = atEveryRequest(
                fault,
                server -> {
                    try (Session session = open(TestStoreProvider.uriOf(server))) {
                        twoCommits(session);
                    }
                    handledBefore.addAll(drain(server, "changed"));
                    // As if everybody had died before they could say that the events are out.
                    server.delete("meta/outbox.json");
                    server.put("meta/outbox.json", Payload.of("{\"attempt_id\":\"x\",\"delivered_commit_id\":0}"));
                    clock.advance(Duration.ofDays(1));
                },
                uri -> {
                    try (Session session = open(uri)) {
                        session.storage().events(OPTIONS).cleanup("shop", clock.now());
                    }
                },
                (server, fate) -> {
                    assertThat(drain(server, "changed")).isEmpty();
                    try (Session session = open(TestStoreProvider.uriOf(server))) {
                        EventStore bus = session.storage().events(OPTIONS);
                        if (fate == Fate.DONE) {
                            assertThat(bus.list("shop", 10)).isEmpty();
                        }
                        bus.cleanup("shop", clock.now());
                        assertThat(bus.list("shop", 10)).isEmpty();
                        assertThat(server.list(ListRequest.of("claims/")).objects())
                                .isEmpty();
                    }
                });

        assertThat(requests).isGreaterThan(5);
        assertThat(handledBefore).isNotEmpty();
    }
}
