package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Upkeep;
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
import io.ontologia.testkit.History;
import io.ontologia.testkit.LinearizabilityChecker;
import io.ontologia.testkit.LogModel;
import io.ontologia.testkit.SeededScheduler;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Processes commit, compact and clean up at once, in an order that a seed decides, while replies get lost, requests arrive
 * late or twice, holders of the lock are paused for longer than it lasts, and clocks disagree. Then every commit that was
 * acknowledged is in the log, once and in its place, none that was refused is, and the store is in order.
 *
 * <p>{@code -Dontologia.simulation.runs=20000} makes it long.
 */
class WriterSimulationIT {
    private static final Duration LEASE = Duration.ofSeconds(30);
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
    void the_log_is_linearizable_whatever_goes_wrong() {
        Seeds.forEach("writers on one store", Integer.getInteger("ontologia.simulation.runs", 40), Run::new);
    }

    /** One simulation. */
    private static final class Run {
        private final RandomGenerator random;
        private final SeededScheduler scheduler;
        private final ObjectStore server;
        private final History<LogModel.Call, LogModel.Reply> history = new History<>();
        private final List<FaultyObjectStore> clients = new ArrayList<>();

        Run(RandomGenerator random) {
            this.random = random;
            // Half of the stops outlast every lease, the other half what a clean-up takes for garbage as well.
            this.scheduler = new SeededScheduler(random)
                    .pauses(0.01, random.nextBoolean() ? LEASE.multipliedBy(2) : Upkeep.SHORTEST_GRACE.multipliedBy(3));
            this.server = ObjectStores.open("memory:", scheduler.time());
            try (Session session = open(TestStoreProvider.uriOf(server), new SettableClock(), "first")) {
                assertThat(session.head()).isZero();
            }
            int writers = 2 + random.nextInt(4);
            double faults = random.nextBoolean() ? 0 : 0.05;
            for (int i = 0; i < writers; i++) {
                String name = "w" + i;
                int commits = 1 + random.nextInt(3);
                scheduler.spawn(name, self -> write(self, client(self, faults), commits));
            }
            if (random.nextBoolean()) {
                scheduler.spawn("upkeep", self -> keepUp(self, client(self, faults)));
            }
            scheduler.run();
            verify();
        }

        private String client(SeededScheduler.Actor self, double faults) {
            self.clock()
                    .skew(Duration.ofMillis(random.nextLong(LEASE.dividedBy(3).toMillis())));
            FaultyObjectStore client = new FaultyObjectStore(
                    scheduler.interleaved(server),
                    FaultPlan.random(random, faults, FAULTS),
                    self.clock(),
                    new Retry(
                            new RetryPolicy(4, Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofMinutes(1)),
                            self.clock(),
                            random));
            clients.add(client);
            return TestStoreProvider.uriOf(client);
        }

        private Session open(String uri, Clock clock, String name) {
            return Ontologia.open(uri, options(clock, name), Model.of(NOTE));
        }

        private SessionOptions options(Clock clock, String name) {
            StorageOptions defaults = StorageOptions.defaults();
            return SessionOptions.defaults()
                    .storage(new StorageOptions(
                            StorageOptions.Mode.READ_WRITE,
                            defaults.durability(),
                            Duration.ofMinutes(5),
                            LEASE,
                            clock,
                            new SplittableRandom(random.nextLong()),
                            Map.of()))
                    .runtimeId(name);
        }

        private void write(SeededScheduler.Actor self, String uri, int commits) {
            try (Session session = open(uri, self.clock(), self.name())) {
                for (int i = 0; i < commits; i++) {
                    String id = self.name() + "-" + i;
                    session.ensure(new Row.OfEntity("Note", id, Map.of("by", self.name())));
                    History<LogModel.Call, LogModel.Reply>.Call call =
                            history.begin(self.name(), new LogModel.Append(id));
                    try {
                        CommitResult result = session.commit(Map.of("id", id));
                        call.replied(new LogModel.Appended((int) ((CommitResult.Committed) result).commitId() - 1));
                    } catch (OntologiaException e) {
                        if (e.kind() != ErrorKind.UNKNOWN_OUTCOME) {
                            call.hadNoEffect();
                        }
                        session.discard();
                    }
                }
            } catch (OntologiaException e) {
                // The network was down for longer than anybody waits, at the start or the end.
            }
        }

        private void keepUp(SeededScheduler.Actor self, String uri) {
            try (Maintenance maintenance = Ontologia.maintain(uri, options(self.clock(), self.name()))) {
                Upkeep upkeep = maintenance.storage().upkeep().orElseThrow();
                for (int i = 0; i < 3; i++) {
                    try {
                        upkeep.compact(Optional.empty(), self.name(), Progress.none());
                        upkeep.collectGarbage(Duration.ZERO);
                        upkeep.repairIndices();
                    } catch (OntologiaException e) {
                        // Refused, or the network was down; nothing may have changed.
                    }
                }
            } catch (OntologiaException e) {
                // As above.
            }
        }

        private void verify() {
            clients.forEach(FaultyObjectStore::deliverLateRequests);
            SettableClock later = new SettableClock(SettableClock.START.plus(Duration.ofDays(365)));
            String uri = TestStoreProvider.uriOf(server);
            List<String> log = new ArrayList<>();
            try (Session session = open(uri, later, "reader")) {
                List<CommitInfo> commits = new ArrayList<>(session.log().last(1_000));
                java.util.Collections.reverse(commits);
                commits.forEach(commit -> log.add((String) commit.metadata().get("id")));
                assertThat(commits.stream().map(CommitInfo::id).toList())
                        .isEqualTo(java.util.stream.LongStream.rangeClosed(1, commits.size())
                                .boxed()
                                .toList());
                assertThat(session.entities("Note").results().stream()
                                .map(row -> row.identity().toString())
                                .toList())
                        .containsExactlyInAnyOrderElementsOf(log);
            }
            history.begin("reader", new LogModel.Read()).replied(new LogModel.Entries(log));
            new LinearizabilityChecker<>(new LogModel()).requireLinearizable(history.operations());
            try (Maintenance maintenance = Ontologia.maintain(uri, options(later, "operator"))) {
                assertThat(maintenance.storage().upkeep().orElseThrow().repairIndices())
                        .allSatisfy(state -> assertThat(state.status()).isEqualTo(Upkeep.IndexStatus.OK));
                assertThat(maintenance.check(Progress.none()).stream()
                                .filter(Finding::isProblem)
                                .toList())
                        .isEmpty();
            }
        }
    }
}
