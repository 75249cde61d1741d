package io.ontologia.core.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.EventOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.kernel.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The claims that a worker holds: those that wait for their handler, in the order in which they were claimed, and those that
 * are being handled. Says who wants more. Safe for use by many threads.
 */
final class ClaimsInHand {
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition oneLess = lock.newCondition();
    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final Set<String> leftOut = new HashSet<>();
    private boolean stopped;

    private static final class Lane {
        final Handler handler;
        final Deque<HeldClaim> waiting = new ArrayDeque<>();
        final Set<HeldClaim> running = new LinkedHashSet<>();
        int threads;

        Lane(Handler handler) {
            this.handler = handler;
        }
    }

    ClaimsInHand(List<Handler> handlers, Clock clock) {
        this.clock = clock;
        handlers.stream()
                .sorted(Comparator.<Handler>comparingLong(
                                handler -> handler.options().priority())
                        .reversed()
                        .thenComparing(Handler::id))
                .forEach(handler -> lanes.put(handler.id(), new Lane(handler)));
    }

    /** The handlers in the order in which they are served. */
    List<Handler> handlers() {
        return lanes.values().stream().map(lane -> lane.handler).toList();
    }

    /**
     * What to claim: for every handler that has nothing waiting and could begin at once, as long as the worker does not take
     * on too much. Who got no share comes first the next time.
     */
    List<ClaimRequest.Subscription> wanted(EventOptions options) {
        lock.lock();
        try {
            int room = options.maxEventsPerIteration() - size();
            List<Lane> hungry = lanes.values().stream()
                    .filter(lane -> !stopped && lane.waiting.isEmpty() && busy(lane) < concurrency(lane))
                    .sorted(Comparator.comparing(lane -> !leftOut.contains(lane.handler.id())))
                    .toList();
            leftOut.clear();
            List<ClaimRequest.Subscription> wanted = new ArrayList<>();
            for (Lane lane : hungry) {
                int limit = Math.min(options.claimLimit(), room);
                if (limit > 0) {
                    room -= limit;
                    wanted.add(
                            new ClaimRequest.Subscription(lane.handler.id(), Set.of(lane.handler.eventType()), limit));
                } else {
                    leftOut.add(lane.handler.id());
                }
            }
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private static int busy(Lane lane) {
        return Math.max(lane.threads, lane.running.size());
    }

    private static int concurrency(Lane lane) {
        return lane.handler.options().concurrency();
    }

    private int size() {
        return lanes.values().stream()
                .mapToInt(lane -> lane.waiting.size() + lane.running.size())
                .sum();
    }

    /** Takes claims in hand; false when the worker has stopped meanwhile and they are not wanted any more. */
    boolean add(List<Claim> claims) {
        lock.lock();
        try {
            if (stopped) {
                return false;
            }
            for (Claim claim : claims) {
                Lane lane = lane(claim.handlerId());
                lane.waiting.add(new HeldClaim(lane.handler, claim));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Lane lane(String handlerId) {
        Lane lane = lanes.get(handlerId);
        if (lane == null) {
            throw new IllegalStateException("a claim for a handler that nobody asked for: " + handlerId);
        }
        return lane;
    }

    /** The next claim for a handler to work on, which counts as running until {@link #finished}. */
    Optional<HeldClaim> next(Handler handler) {
        lock.lock();
        try {
            return take(lane(handler.id()));
        } finally {
            lock.unlock();
        }
    }

    private Optional<HeldClaim> take(Lane lane) {
        for (HeldClaim held = lane.waiting.poll(); held != null; held = lane.waiting.poll()) {
            // A claim that ran out while it waited is somebody else's by now.
            if (held.isLive(clock.now())) {
                held.started(clock.monotonicNanos());
                lane.running.add(held);
                return Optional.of(held);
            }
        }
        return Optional.empty();
    }

    /** How many threads should begin to work for a handler now; they are counted until {@link #nextOrLeave} is empty. */
    int hire(Handler handler) {
        lock.lock();
        try {
            Lane lane = lane(handler.id());
            int more = Math.max(0, Math.min(concurrency(lane) - lane.threads, lane.waiting.size()));
            lane.threads += more;
            return more;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #next}; when there is nothing left, the calling thread is not counted any more. */
    Optional<HeldClaim> nextOrLeave(Handler handler) {
        lock.lock();
        try {
            Lane lane = lane(handler.id());
            Optional<HeldClaim> next = take(lane);
            lane.threads -= next.isEmpty() ? 1 : 0;
            return next;
        } finally {
            lock.unlock();
        }
    }

    void finished(HeldClaim held) {
        lock.lock();
        try {
            lane(held.handler().id()).running.remove(held);
            oneLess.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Everything in hand that is neither settled nor lost. */
    List<HeldClaim> all() {
        lock.lock();
        try {
            List<HeldClaim> all = new ArrayList<>();
            lanes.values().forEach(lane -> {
                all.addAll(lane.waiting);
                all.addAll(lane.running);
            });
            all.removeIf(held -> !held.isMine());
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing in hand any more, and gives out what waits. */
    List<HeldClaim> stop() {
        lock.lock();
        try {
            stopped = true;
            List<HeldClaim> waiting = new ArrayList<>();
            lanes.values().forEach(lane -> {
                waiting.addAll(lane.waiting);
                lane.waiting.clear();
            });
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing runs any more, or the time is over. */
    void awaitIdle(Duration most) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(Math.min(most.toMillis(), TimeUnit.DAYS.toMillis(1)));
        lock.lock();
        try {
            while (nanos > 0 && size() > 0) {
                nanos = oneLess.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
