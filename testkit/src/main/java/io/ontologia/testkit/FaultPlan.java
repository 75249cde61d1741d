package io.ontologia.testkit;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Decides what goes wrong with which request. Requests are those on the wire: a request that is sent again has a number
 * of its own, and so has the read that settles an outcome. A store asks its plan for one request at a time.
 */
public interface FaultPlan {

    /**
     * What happens to a request; empty when nothing does.
     *
     * @param request the number of the request, from 1
     */
    Optional<Fault> next(StoreOperation operation, long request);

    /** Whether {@link Fault.StaleList} may occur; only then does a store keep what stale lists need. */
    default boolean mayStaleLists() {
        return false;
    }

    /** Nothing goes wrong. */
    static FaultPlan none() {
        return (operation, request) -> Optional.empty();
    }

    /** The fault happens to one request, of whatever kind. */
    static FaultPlan at(long request, Fault fault) {
        return withLists(List.of(fault), (operation, n) -> n == request ? Optional.of(fault) : Optional.empty());
    }

    /** The fault happens to the n-th request of one kind, counted from 1. The plan counts, so use it for one store. */
    static FaultPlan at(StoreOperation kind, int nth, Fault fault) {
        AtomicInteger seen = new AtomicInteger();
        return withLists(
                List.of(fault),
                (operation, n) ->
                        operation == kind && seen.incrementAndGet() == nth ? Optional.of(fault) : Optional.empty());
    }

    /** The client dies before it sends the given request. */
    static FaultPlan crashBefore(long request) {
        return (operation, n) -> n >= request ? Optional.of(new Fault.Crash()) : Optional.empty();
    }

    /**
     * One of the faults, each as likely as the others, happens to a request with the given probability.
     *
     * @param random makes all choices; not shared with other threads
     */
    static FaultPlan random(RandomGenerator random, double probability, List<Fault> faults) {
        List<Fault> kinds = List.copyOf(faults);
        return withLists(
                kinds,
                (operation, n) -> random.nextDouble() < probability
                        ? Optional.of(kinds.get(random.nextInt(kinds.size())))
                        : Optional.empty());
    }

    /** This plan's fault, or the other plan's when this one has none. */
    default FaultPlan or(FaultPlan other) {
        FaultPlan first = this;
        return new FaultPlan() {
            @Override
            public Optional<Fault> next(StoreOperation operation, long request) {
                Optional<Fault> others = other.next(operation, request);
                return first.next(operation, request).or(() -> others);
            }

            @Override
            public boolean mayStaleLists() {
                return first.mayStaleLists() || other.mayStaleLists();
            }
        };
    }

    private static FaultPlan withLists(List<Fault> faults, FaultPlan plan) {
        boolean stale = faults.stream().anyMatch(Fault.StaleList.class::isInstance);
        return new FaultPlan() {
            @Override
            public Optional<Fault> next(StoreOperation operation, long request) {
                return plan.next(operation, request);
            }

            @Override
            public boolean mayStaleLists() {
                return stale;
            }
        };
    }
}
