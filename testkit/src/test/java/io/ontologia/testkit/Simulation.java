package io.ontologia.testkit;

import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Clients of one server in memory, each behind a network of its own that does the worst, interleaved by a seed. */
final class Simulation {
    static final List<Fault> WORST = List.of(
            new Fault.FailBefore(),
            new Fault.Conflict(),
            new Fault.LoseRequest(),
            new Fault.LoseReply(),
            new Fault.LoseReply(),
            new Fault.LandLate(1),
            new Fault.LandLate(5),
            new Fault.Delay(Duration.ofMillis(5)));

    private static final Set<StoreOperation> CONDITIONAL =
            Set.of(StoreOperation.PUT_IF_ABSENT, StoreOperation.PUT_IF_MATCH, StoreOperation.DELETE_IF_MATCH);

    final RecordingObjectStore server = new RecordingObjectStore(ObjectStores.open("memory:", new SettableClock()));
    final SeededScheduler scheduler;
    private final ObjectStore wire;
    private final RandomGenerator random;
    private final List<FaultyObjectStore> clients = new ArrayList<>();

    Simulation(RandomGenerator random) {
        this.random = random;
        this.scheduler = new SeededScheduler(new SplittableRandom(random.nextLong()));
        this.wire = scheduler.interleaved(server);
    }

    /** What a client does; all its choices come from the generator. */
    interface Script {
        void run(Client client, RandomGenerator choices);
    }

    /** Adds a client whose requests fail with the given probability. */
    void spawn(String name, double faultProbability, Script script) {
        spawn(name, faultProbability, wire, script);
    }

    /** The same, for a server that behaves otherwise; it must be interleaved by this simulation's scheduler. */
    void spawn(String name, double faultProbability, ObjectStore otherServer, Script script) {
        RandomGenerator choices = new SplittableRandom(random.nextLong());
        FaultPlan plan = FaultPlan.random(new SplittableRandom(random.nextLong()), faultProbability, WORST);
        RandomGenerator jitter = new SplittableRandom(random.nextLong());
        scheduler.spawn(name, self -> {
            RetryPolicy policy = new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(4), Duration.ofSeconds(1));
            WatchedPlan watched = new WatchedPlan(plan);
            FaultyObjectStore store =
                    new FaultyObjectStore(otherServer, watched, self.clock(), new Retry(policy, self.clock(), jitter));
            clients.add(store);
            script.run(new Client(name, store, watched), choices);
        });
    }

    /** Runs all clients to their end, and everything that is still on its way to the server. */
    void run() {
        scheduler.run();
        clients.forEach(FaultyObjectStore::deliverLateRequests);
    }

    /** A client, and whether it lost a reply to a conditional request. */
    record Client(String name, ObjectStore store, WatchedPlan watched) {
        boolean lostReplySince(long mark) {
            return watched.lost > mark;
        }

        long mark() {
            return watched.lost;
        }
    }

    /** Counts the replies that get lost. */
    static final class WatchedPlan implements FaultPlan {
        private final FaultPlan plan;
        private long lost;

        WatchedPlan(FaultPlan plan) {
            this.plan = plan;
        }

        @Override
        public Optional<Fault> next(StoreOperation operation, long request) {
            Optional<Fault> fault = plan.next(operation, request);
            boolean loses = fault.filter(f -> f instanceof Fault.LoseReply
                            || f instanceof Fault.LoseRequest
                            || f instanceof Fault.LandLate)
                    .isPresent();
            lost += loses && CONDITIONAL.contains(operation) ? 1 : 0;
            return fault;
        }
    }
}
