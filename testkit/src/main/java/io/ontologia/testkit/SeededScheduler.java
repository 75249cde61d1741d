package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Simulates programs that run at the same time, so that a seed decides the interleaving and gives it again.
 *
 * <p>Every actor runs its code in a thread of its own, but only one runs at a time. At each operation of an {@link
 * #interleaved} store (before and after it), at each sleep on its clock, and where it says so itself, an actor hands over
 * to one that the generator chooses, often itself. Time is simulated: a handover takes up to a millisecond, and when all
 * actors sleep, the clock jumps to the moment when the first wakes up.
 *
 * <p>What actors do must depend on nothing but the generator, the clock and the stores. They must not wait for each other
 * by other means (locks held during a handover, latches, further threads): the simulation would stand still, and fails
 * after a minute of that.
 */
public final class SeededScheduler {
    private static final long MAX_HANDOVERS = 1_000_000;
    private static final int LONGEST_STEP_NANOS = 1_000_000;

    private final RandomGenerator random;
    private final List<Actor> actors = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Semaphore allDone = new Semaphore(0);
    private double pauseProbability;
    private Duration longestPause = Duration.ZERO;

    // Below: touched only by the actor that runs; the semaphores order the accesses.
    private long elapsedNanos;
    private volatile @Nullable Actor running;
    private volatile int turns;
    private @Nullable Throwable failure;

    /** @param random makes all choices; not used by anything else while the simulation runs */
    public SeededScheduler(RandomGenerator random) {
        this.random = random;
    }

    /** What an actor does. */
    @FunctionalInterface
    public interface Script {
        /** Runs once. An exception ends the simulation; {@link StoreCrashed} ends only this actor. */
        void run(Actor self) throws Exception;
    }

    /** Adds an actor, before the simulation runs. */
    public Actor spawn(String name, Script script) {
        Actor actor = new Actor(name, script);
        actors.add(actor);
        return actor;
    }

    /** Lets every handover become a pause of its actor, as by a garbage collection or a suspended machine. */
    public SeededScheduler pauses(double probability, Duration longest) {
        pauseProbability = probability;
        longestPause = longest;
        return this;
    }

    /** The true time of the simulation, for what is not an actor, as a server. It cannot be slept on. */
    public Clock time() {
        return new Clock() {
            @Override
            public Instant now() {
                return SettableClock.START.plusNanos(elapsedNanos);
            }

            @Override
            public long monotonicNanos() {
                return elapsedNanos;
            }

            @Override
            public void sleep(Duration duration) {
                throw new UnsupportedOperationException("only actors sleep");
            }
        };
    }

    /** The same store; actors hand over before and after each of its operations. Others use it without a handover. */
    public ObjectStore interleaved(ObjectStore store) {
        return new ForwardingObjectStore(store) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                handOver();
                T reply = request.get();
                handOver();
                return reply;
            }
        };
    }

    /**
     * Runs all actors to their end.
     *
     * @throws AssertionError when an actor fails, with its failure inside, or when the simulation does not end
     */
    public void run() {
        if (actors.isEmpty()) {
            return;
        }
        actors.forEach(Actor::start);
        passTo(choose());
        awaitEnd();
        if (failure != null) {
            throw new AssertionError("an actor failed: " + failure, failure);
        }
    }

    private void awaitEnd() {
        try {
            long turnsBefore = 0;
            while (!allDone.tryAcquire(1, TimeUnit.MINUTES)) {
                Actor stuck = running;
                if (stuck != null && turns == turnsBefore) {
                    AssertionError error = new AssertionError("the simulation stands still at " + stuck);
                    error.setStackTrace(stuck.thread.getStackTrace());
                    throw error;
                }
                turnsBefore = turns;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the simulation was interrupted", e);
        }
    }

    /** The names of the actors in the order in which they got their turns. */
    public List<String> trace() {
        return List.copyOf(trace);
    }

    /** Hands over to the actor that the seed chooses. Does nothing when no actor calls it. */
    private void handOver() {
        Actor self = running;
        if (self == null || self.thread != Thread.currentThread()) {
            return;
        }
        if (failure != null) {
            throw new SimulationOver();
        }
        if (trace.size() >= MAX_HANDOVERS) {
            throw new AssertionError("the simulation did not end after " + MAX_HANDOVERS + " handovers");
        }
        elapsedNanos += random.nextInt(LONGEST_STEP_NANOS);
        if (pauseProbability > 0 && random.nextDouble() < pauseProbability) {
            self.wakesAt = Math.max(self.wakesAt, elapsedNanos + random.nextLong(longestPause.toNanos() + 1));
        }
        Actor next = choose();
        if (next != self) {
            passTo(next);
            self.awaitTurn();
        }
    }

    private Actor choose() {
        long earliest = Long.MAX_VALUE;
        for (Actor actor : actors) {
            earliest = actor.done ? earliest : Math.min(earliest, actor.wakesAt);
        }
        elapsedNanos = Math.max(elapsedNanos, earliest);
        List<Actor> awake = actors.stream()
                .filter(actor -> !actor.done && actor.wakesAt <= elapsedNanos)
                .toList();
        Actor chosen = awake.get(random.nextInt(awake.size()));
        trace.add(chosen.name);
        turns = trace.size();
        return chosen;
    }

    private void passTo(Actor next) {
        running = next;
        next.turn.release();
    }

    private void ended(Actor actor, @Nullable Throwable problem) {
        actor.done = true;
        if (problem != null && failure == null) {
            failure = problem;
        }
        if (actors.stream().allMatch(other -> other.done)) {
            running = null;
            allDone.release();
        } else {
            passTo(choose());
        }
    }

    /** One of the programs that run at the same time. */
    public final class Actor {
        private final String name;
        private final Script script;
        private final ActorClock clock = new ActorClock(this);
        private final Semaphore turn = new Semaphore(0);
        private final Thread thread;
        private long wakesAt;
        private boolean done;

        private Actor(String name, Script script) {
            this.name = name;
            this.script = script;
            this.thread = new Thread(this::live, "actor " + name);
            thread.setDaemon(true);
        }

        /** Its name in the trace. */
        public String name() {
            return name;
        }

        /** The time as this actor sees it. */
        public ActorClock clock() {
            return clock;
        }

        /** Hands over, as an operation on a store does. */
        public void handOver() {
            SeededScheduler.this.handOver();
        }

        /**
         * Stops this actor for so long, as if its machine had been suspended: it does not notice, but its clock has gone
         * on. Another actor may do this to it, at any handover; itself it hands over at once.
         */
        public void suspend(Duration duration) {
            wakesAt = Math.max(wakesAt, elapsedNanos + duration.toNanos());
            if (running == this) {
                handOver();
            }
        }

        private void start() {
            thread.start();
        }

        private void live() {
            @Nullable Throwable problem = null;
            try {
                awaitTurn();
                script.run(this);
            } catch (StoreCrashed | SimulationOver end) {
                problem = null;
            } catch (Throwable e) {
                problem = e;
            }
            ended(this, problem);
        }

        private void awaitTurn() {
            turn.acquireUninterruptibly();
            if (failure != null) {
                throw new SimulationOver();
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Simulated time, seen through a clock that may be wrong. */
    public final class ActorClock implements Clock {
        private final Actor actor;
        private Duration skew = Duration.ZERO;

        private ActorClock(Actor actor) {
            this.actor = actor;
        }

        /** Sets how far this wall clock is ahead of the true time, or behind it when negative. */
        public ActorClock skew(Duration ahead) {
            skew = ahead;
            return this;
        }

        @Override
        public Instant now() {
            return SettableClock.START.plusNanos(elapsedNanos).plus(skew);
        }

        @Override
        public long monotonicNanos() {
            return elapsedNanos;
        }

        @Override
        public void sleep(Duration duration) {
            if (!duration.isNegative() && !duration.isZero()) {
                actor.suspend(duration);
            }
        }
    }

    /** Ends the actors that are still alive after one failed; an {@link Error} so that they do not handle it. */
    private static final class SimulationOver extends Error {
        SimulationOver() {
            super("another actor failed", null, false, false);
        }
    }
}
