package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.LossyStore.Fate;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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
                1000,
                random -> assertThat(mostSafeLeasesAtOnce(random, MARGIN)).isLessThanOrEqualTo(1));
    }

    @Test
    void the_simulation_would_notice_two_safe_leases_because_it_finds_them_when_clocks_disagree_more() {
        long most = LongStream.range(0, 300)
                .map(seed -> mostSafeLeasesAtOnce(new SplittableRandom(seed), MARGIN.multipliedBy(2)))
                .max()
                .orElseThrow();

        assertThat(most).isGreaterThan(1);
    }

    private static long mostSafeLeasesAtOnce(RandomGenerator random, Duration skew) {
        World world = new World(random, skew);
        long most = 0;
        for (int i = 0; i < 60; i++) {
            world.somethingHappens();
            // Looking is not free: a lease that is seen unsafe once stays so. Sometimes nobody looks.
            if (random.nextBoolean()) {
                most = Math.max(most, world.safeLeases());
            }
        }
        return most;
    }

    /** True time, one store, and writers with clocks of their own. */
    private static final class World {
        private final RandomGenerator random;
        private final Duration skew;
        private final SettableClock time = new SettableClock();
        private final LossyStore store;
        private final List<Writer> writers;
        private int depth;

        World(RandomGenerator random, Duration skew) {
            this.random = random;
            this.skew = skew;
            boolean reliable = random.nextBoolean();
            this.store = new LossyStore(
                    ObjectStores.open("memory:", time),
                    () -> reliable || random.nextInt(4) > 0 ? Fate.ANSWERED : anyOf(Fate.values()));
            this.writers = IntStream.range(0, 3)
                    .mapToObj(i -> new Writer(this, "writer-" + i))
                    .toList();
        }

        void somethingHappens() {
            switch (random.nextInt(10)) {
                case 0, 1 -> time.advance(Duration.ofMillis(random.nextLong(TTL.toMillis())));
                case 2, 3 -> time.advance(Duration.ofMillis(random.nextLong(MARGIN.toMillis())));
                case 4 -> store.deliver();
                default -> anyOf(writers.toArray(Writer[]::new)).act();
            }
        }

        /** What others do between two requests of one writer. */
        void meanwhile() {
            if (depth < 3 && random.nextInt(4) == 0) {
                somethingHappens();
            }
        }

        long safeLeases() {
            return writers.stream().filter(Writer::isSafe).count();
        }

        <T> T anyOf(T[] choices) {
            return choices[random.nextInt(choices.length)];
        }
    }

    private static final class Writer implements Clock {
        private final World world;
        private final String name;
        private final LeaseLock lock;
        private Duration ahead = Duration.ZERO;
        private Optional<Lease> lease = Optional.empty();
        private boolean busy;

        Writer(World world, String name) {
            this.world = world;
            this.name = name;
            this.lock = new LeaseLock(
                    new DelegatingStore(world.store) {
                        @Override
                        public GetOutcome get(String key, GetOptions options) {
                            world.meanwhile();
                            return super.get(key, options);
                        }

                        @Override
                        public PutOutcome putIfAbsent(String key, Payload payload) {
                            world.meanwhile();
                            return super.putIfAbsent(key, payload);
                        }

                        @Override
                        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
                            world.meanwhile();
                            return super.putIfMatch(key, payload, expected);
                        }
                    },
                    "lock",
                    this,
                    world.random,
                    new LeaseOptions(
                            TTL, Duration.ofMillis(world.random.nextInt(40)), world.anyOf(ReleaseStyle.values())));
            correctClock();
        }

        void act() {
            if (busy) {
                return;
            }
            busy = true;
            world.depth++;
            try {
                switch (world.random.nextInt(8)) {
                    case 0 -> correctClock();
                    case 1 -> lease.ifPresent(Lease::release);
                    case 2, 3, 4 -> lease.ifPresentOrElse(Lease::renew, this::acquire);
                    default -> acquire();
                }
            } catch (OntologiaException e) {
                // Lost replies until the time to wait was over.
                lease = Optional.empty();
            } finally {
                world.depth--;
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
