package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.testkit.Fault;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Writers whose clocks disagree by up to a third of the ttl acquire, renew, pause and release as the seed says, between
 * each other's requests too, while replies get lost and requests arrive late. There is never more than one safe lease.
 */
class LeaseSimulationTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration MARGIN = TTL.dividedBy(3);

    @Test
    void clocks_that_disagree_within_the_margin_never_make_two_leases_safe_at_once() {
        Seeds.forEach(
                "leases with skewed clocks",
                500,
                random -> assertThat(mostSafeLeasesAtOnce(random, MARGIN)).isLessThanOrEqualTo(1));
    }

    @Test
    void the_simulation_would_notice_two_safe_leases_because_it_finds_them_when_clocks_disagree_more() {
        long most = LongStream.range(0, 100)
                .map(seed -> mostSafeLeasesAtOnce(new SplittableRandom(seed), MARGIN.multipliedBy(2)))
                .max()
                .orElseThrow();

        assertThat(most).isGreaterThan(1);
    }

    private static long mostSafeLeasesAtOnce(RandomGenerator random, Duration skew) {
        World world = new World(random, skew);
        long most = 0;
        for (int i = 0; i < 40; i++) {
            world.somethingHappens();
            // Looking is not free: a lease that is seen unsafe once stays so. Sometimes nobody looks.
            if (random.nextBoolean()) {
                most = Math.max(most, world.safeLeases());
            }
        }
        return most;
    }

    /** True time, one server, and writers with clocks and networks of their own. */
    private static final class World {
        private final RandomGenerator random;
        private final Duration skew;
        private final double faults;
        private final SettableClock time = new SettableClock();
        private final ObjectStore server;
        private final List<Writer> writers;
        private int depth;

        World(RandomGenerator random, Duration skew) {
            this.random = random;
            this.skew = skew;
            this.faults = random.nextBoolean() ? 0 : 0.25;
            this.server = new ForwardingObjectStore(ObjectStores.open("memory:", time)) {
                @Override
                protected <T> T around(StoreOperation operation, Supplier<T> request) {
                    meanwhile();
                    return request.get();
                }
            };
            this.writers =
                    Stream.of("a", "b", "c").map(name -> new Writer(this, name)).toList();
        }

        void somethingHappens() {
            switch (random.nextInt(10)) {
                case 0, 1 -> time.advance(Duration.ofMillis(random.nextLong(TTL.toMillis())));
                case 2, 3 -> time.advance(Duration.ofMillis(random.nextLong(MARGIN.toMillis())));
                case 4 -> anyOf(writers).client.deliverLateRequests();
                default -> anyOf(writers).act();
            }
        }

        /** What others do between two requests of one writer. */
        private void meanwhile() {
            if (depth < 3 && random.nextInt(4) == 0) {
                depth++;
                somethingHappens();
                depth--;
            }
        }

        long safeLeases() {
            return writers.stream().filter(Writer::isSafe).count();
        }

        <T> T anyOf(List<T> choices) {
            return choices.get(random.nextInt(choices.size()));
        }
    }

    private static final class Writer implements Clock {
        private static final List<Fault> FAULTS = List.of(
                new Fault.FailBefore(),
                new Fault.Conflict(),
                new Fault.LoseRequest(),
                new Fault.LoseReply(),
                new Fault.LandLate(1),
                new Fault.LandLate(4),
                new Fault.Delay(Duration.ofSeconds(3)));

        private final World world;
        private final String name;
        private final FaultyObjectStore client;
        private final LeaseLock lock;
        private Duration ahead = Duration.ZERO;
        private Optional<Lease> lease = Optional.empty();
        private boolean busy;

        Writer(World world, String name) {
            this.world = world;
            this.name = name;
            RandomGenerator random = world.random;
            RetryPolicy tries =
                    new RetryPolicy(1 + random.nextInt(3), Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1));
            this.client = new FaultyObjectStore(
                    world.server, FaultPlan.random(random, world.faults, FAULTS), this, new Retry(tries, this, random));
            LeaseOptions options = new LeaseOptions(
                    TTL, Duration.ofMillis(random.nextInt(40)), world.anyOf(List.of(ReleaseStyle.values())));
            this.lock = new LeaseLock(client, "lock", this, random, options);
            correctClock();
        }

        void act() {
            if (busy) {
                return;
            }
            busy = true;
            try {
                switch (world.random.nextInt(8)) {
                    case 0 -> correctClock();
                    case 1 -> lease.ifPresent(Lease::release);
                    case 2, 3, 4 -> lease.ifPresentOrElse(Lease::renew, this::acquire);
                    default -> acquire();
                }
            } catch (OntologiaException e) {
                // The network failed for longer than the writer was willing to wait.
                lease = Optional.empty();
            } finally {
                busy = false;
            }
        }

        private void acquire() {
            lease = Optional.empty();
            if (lock.acquire(name) instanceof AcquireOutcome.Acquired success) {
                lease = Optional.of(success.lease());
            }
        }

        /** Anywhere within half the skew of true time, so that two clocks never disagree by more than all of it. */
        private void correctClock() {
            long half = world.skew.toMillis() / 2;
            ahead = Duration.ofMillis(world.random.nextLong(-half, half + 1));
        }

        boolean isSafe() {
            try {
                lease.ifPresent(Lease::ensureSafe);
                return lease.isPresent();
            } catch (LeaseExpiredException e) {
                return false;
            }
        }

        @Override
        public Instant now() {
            return world.time.now().plus(ahead);
        }

        @Override
        public long monotonicNanos() {
            return world.time.monotonicNanos();
        }

        @Override
        public void sleep(Duration duration) {
            world.time.sleep(duration);
        }
    }
}
