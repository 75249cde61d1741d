package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
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
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.Fault;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SeededScheduler;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Four workers take events that two producers enqueue, on their own and with commits, in an order that a seed decides.
 * Replies get lost, requests arrive late, workers are paused for longer than their claims last, and some die. Then every
 * event was handled, was acknowledged once, and never had two live claims at a time; and a commit is there if and only if
 * its event is.
 *
 * <p>{@code -Dontologia.simulation.runs=20000} makes it long.
 */
class EventSimulationIT {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final EventOptions OPTIONS =
            EventOptions.of(Map.of("event_claim_lease_ms", "30000", "event_max_attempts", "1000000"));
    private static final List<Fault> FAULTS = List.of(
            new Fault.FailBefore(),
            new Fault.Conflict(),
            new Fault.LoseRequest(),
            new Fault.LoseReply(),
            new Fault.LandLate(2),
            new Fault.Delay(Duration.ofSeconds(3)));
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("by", Primitive.STR)), "id");

    @Test
    void every_event_is_handled_and_acknowledged_once_whatever_goes_wrong() {
        Seeds.forEach("workers on one bus", Integer.getInteger("ontologia.simulation.runs", 60), Run::new);
    }

    /** The time in which a worker may think that an event is its own. */
    private record Held(String eventId, String by, Instant from, Instant until) {}

    /** One simulation. */
    private static final class Run {
        private final RandomGenerator random;
        private final SeededScheduler scheduler;
        private final ObjectStore server = ObjectStores.open("memory:", new SettableClock());
        private final List<FaultyObjectStore> clients = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final Set<String> enqueued = new HashSet<>();
        private final Map<String, String> attempted = new TreeMap<>();
        private final Set<String> handled = new HashSet<>();
        private final Map<String, Integer> acked = new HashMap<>();

        Run(RandomGenerator random) {
            this.random = random;
            this.scheduler = new SeededScheduler(random).pauses(0.01, LEASE.multipliedBy(2));
            open(TestStoreProvider.uriOf(server), new SettableClock()).close();
            double faults = random.nextInt(3) == 0 ? 0 : 0.04;
            for (int i = 0; i < 2; i++) {
                int events = 2 + random.nextInt(4);
                scheduler.spawn("producer" + i, self -> produce(self, client(self, faults, FaultPlan.none()), events));
            }
            for (int i = 0; i < 4; i++) {
                FaultPlan death =
                        random.nextInt(3) == 0 ? FaultPlan.crashBefore(5 + random.nextInt(60)) : FaultPlan.none();
                scheduler.spawn("worker" + i, self -> work(self, client(self, faults, death)));
            }
            scheduler.run();
            verify();
        }

        private String client(SeededScheduler.Actor self, double faults, FaultPlan death) {
            FaultyObjectStore client = new FaultyObjectStore(
                    scheduler.interleaved(server),
                    death.or(FaultPlan.random(random, faults, FAULTS)),
                    self.clock(),
                    new Retry(
                            new RetryPolicy(4, Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(1)),
                            self.clock(),
                            random));
            clients.add(client);
            return TestStoreProvider.uriOf(client);
        }

        private Session open(String uri, Clock clock) {
            StorageOptions defaults = StorageOptions.defaults();
            return Ontologia.open(
                    uri,
                    SessionOptions.defaults()
                            .storage(new StorageOptions(
                                    StorageOptions.Mode.READ_WRITE,
                                    defaults.durability(),
                                    Duration.ofMinutes(5),
                                    LEASE,
                                    clock,
                                    new SplittableRandom(random.nextLong()),
                                    Map.of())),
                    Model.of(NOTE));
        }

        private void produce(SeededScheduler.Actor self, String uri, int events) {
            try (Session session = open(uri, self.clock())) {
                EventStore bus = session.storage().events(OPTIONS);
                for (int i = 0; i < events; i++) {
                    String id = self.name() + "-" + i;
                    NewEvent event = NewEvent.of("ns", "note", Map.of())
                            .identity(id, self.clock().now());
                    try {
                        if (random.nextBoolean()) {
                            commit(session, id, event, self.name());
                        } else {
                            bus.enqueue(List.of(event));
                            enqueued.add(id);
                        }
                    } catch (OntologiaException e) {
                        session.discard();
                    }
                    self.clock().sleep(Duration.ofSeconds(random.nextInt(20)));
                }
            } catch (OntologiaException e) {
                // The network was down for longer than anybody waits, at the start or the end.
            }
        }

        private void commit(Session session, String id, NewEvent event, String by) {
            session.ensure(new Row.OfEntity("Note", id, Map.of("by", by)));
            attempted.put(id, "unknown");
            try {
                CommitResult result = session.commit(Map.of("id", id), Outbox.of(event));
                assertThat(result).isInstanceOf(CommitResult.Committed.class);
                attempted.put(id, "committed");
            } catch (OntologiaException e) {
                if (e.kind() != ErrorKind.UNKNOWN_OUTCOME) {
                    attempted.put(id, "refused");
                }
                throw e;
            }
        }

        private void work(SeededScheduler.Actor self, String uri) {
            try (Session session = open(uri, self.clock())) {
                EventStore bus = session.storage().events(OPTIONS);
                for (int i = 0; i < 25; i++) {
                    try {
                        round(self, bus);
                    } catch (OntologiaException e) {
                        // Nobody may think that it holds anything for longer than it was told.
                    }
                    self.clock().sleep(Duration.ofSeconds(5));
                }
            } catch (OntologiaException e) {
                // As above.
            }
        }

        private void round(SeededScheduler.Actor self, EventStore bus) {
            List<Claim> claims = bus.claim(new ClaimRequest(
                    "ns",
                    self.name(),
                    List.of(new ClaimRequest.Subscription("handler", Set.of("note"), 1 + random.nextInt(3)))));
            for (Claim claim : claims) {
                String id = claim.event().id();
                Instant until = claim.leaseUntil();
                handled.add(id);
                self.clock().sleep(Duration.ofSeconds(random.nextInt(20)));
                try {
                    if (random.nextBoolean()
                            && bus.renew(List.of(claim)).get(0) instanceof ClaimOutcome.Renewed renewed) {
                        until = renewed.claim().leaseUntil();
                    }
                    Instant last = self.clock().now();
                    if (random.nextInt(4) == 0) {
                        ClaimOutcome outcome = random.nextBoolean()
                                ? bus.release(claim, "no")
                                : bus.handBack(List.of(claim)).get(0);
                        if (!(outcome instanceof ClaimOutcome.LostClaim)) {
                            until = last;
                        }
                    } else if (bus.ack(List.of(claim)).get(0) instanceof ClaimOutcome.Done) {
                        acked.merge(id, 1, Integer::sum);
                        until = last;
                    }
                } finally {
                    held.add(new Held(id, self.name(), claim.claimedAt(), until));
                }
            }
        }

        private void verify() {
            clients.forEach(FaultyObjectStore::deliverLateRequests);
            SettableClock later = new SettableClock(SettableClock.START.plus(Duration.ofDays(1)));
            try (Session session = open(TestStoreProvider.uriOf(server), later)) {
                EventStore bus = session.storage().events(OPTIONS);
                drain(bus, later);
                Set<String> listed = new HashSet<>();
                List<ListedEvent> events = bus.list("ns", 1000);
                events.forEach(one -> listed.add(one.event().id()));
                assertThat(listed).hasSameSizeAs(events).containsAll(enqueued);
                assertThat(handled).containsAll(listed);
                Set<String> committed = new HashSet<>();
                for (CommitInfo commit : session.log().last(1000)) {
                    committed.add(String.valueOf(commit.metadata().get("id")));
                }
                attempted.forEach((id, fate) -> {
                    assertThat(listed.contains(id)).as(id).isEqualTo(committed.contains(id));
                    if (!fate.equals("unknown")) {
                        assertThat(committed.contains(id)).as(id).isEqualTo(fate.equals("committed"));
                    }
                });
                for (String id : listed) {
                    assertThat(bus.inspect("ns", id)
                                    .orElseThrow()
                                    .claims()
                                    .get(0)
                                    .ackAt())
                            .as(id)
                            .isPresent();
                    assertThat(acked.getOrDefault(id, 0)).as(id).isLessThanOrEqualTo(1);
                }
            }
            requireNoTwoLiveClaims();
        }

        private void drain(EventStore bus, SettableClock later) {
            for (int i = 0; i < 5; i++) {
                List<Claim> claims = bus.claim(new ClaimRequest(
                        "ns", "last", List.of(new ClaimRequest.Subscription("handler", Set.of("note"), 1000))));
                claims.forEach(claim -> {
                    handled.add(claim.event().id());
                    held.add(new Held(claim.event().id(), "last", claim.claimedAt(), claim.leaseUntil()));
                });
                bus.ack(claims).forEach(outcome -> assertThat(outcome).isEqualTo(new ClaimOutcome.Done()));
                claims.forEach(claim -> acked.merge(claim.event().id(), 1, Integer::sum));
                later.advance(LEASE.multipliedBy(2));
            }
        }

        private void requireNoTwoLiveClaims() {
            held.sort(Comparator.comparing(Held::eventId).thenComparing(Held::from));
            for (int i = 1; i < held.size(); i++) {
                Held before = held.get(i - 1);
                Held after = held.get(i);
                if (before.eventId().equals(after.eventId())) {
                    assertThat(after.from()).as(before + " and " + after).isAfterOrEqualTo(before.until());
                }
            }
        }
    }
}
