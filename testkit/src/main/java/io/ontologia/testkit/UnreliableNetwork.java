package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Carries the requests of one client to the server, or not, as a plan says. Safe for use by many threads. */
final class UnreliableNetwork {
    private static final Fault NO_FAULT = new Fault.Delay(Duration.ZERO);

    private final FaultPlan plan;
    private final Clock clock;
    private final List<Late> late = new ArrayList<>();
    private long requests;
    private boolean crashed;

    /** What the client learns of a request. */
    sealed interface Delivery<T> {
        /** The server's answer. */
        record Replied<T>(T reply) implements Delivery<T> {}

        /** Something else, or nothing. */
        record Failed<T>(Attempt.Failed failure) implements Delivery<T> {}
    }

    private record Late(long due, Supplier<?> request) {}

    UnreliableNetwork(FaultPlan plan, Clock clock) {
        this.plan = plan;
        this.clock = clock;
    }

    /**
     * Sends a request once.
     *
     * @param stale what to do instead when the plan wants an answer of yesterday
     */
    <T> Delivery<T> send(StoreOperation operation, Supplier<T> request, Supplier<T> stale) {
        Fault fault;
        List<Late> due;
        synchronized (this) {
            requests++;
            fault = crashed ? new Fault.Crash() : plan.next(operation, requests).orElse(NO_FAULT);
            if (fault instanceof Fault.Crash) {
                crashed = true;
                throw new StoreCrashed(requests);
            }
            due = late.stream().filter(l -> l.due() < requests).toList();
            late.removeAll(due);
            if (fault instanceof Fault.LandLate landLate) {
                late.add(new Late(requests + landLate.requests(), request));
            }
        }
        due.forEach(l -> arrive(l.request()));
        if (fault instanceof Fault.FailBefore) {
            return new Delivery.Failed<>(
                    new Attempt.NotSent(failure(ErrorKind.UNAVAILABLE, operation, "the server cannot be reached")));
        }
        if (fault instanceof Fault.Conflict) {
            return new Delivery.Failed<>(new Attempt.TryAgain());
        }
        if (fault instanceof Fault.LoseReply) {
            arrive(request);
        }
        if (fault instanceof Fault.LoseReply || fault instanceof Fault.LoseRequest || fault instanceof Fault.LandLate) {
            ErrorKind kind = operation.writes() ? ErrorKind.UNKNOWN_OUTCOME : ErrorKind.UNAVAILABLE;
            return new Delivery.Failed<>(
                    new Attempt.NoReply(failure(kind, operation, "the server did not reply in time")));
        }
        if (fault instanceof Fault.Delay delay) {
            clock.sleep(delay.duration());
        }
        return new Delivery.Replied<>(fault instanceof Fault.StaleList ? stale.get() : request.get());
    }

    /** Lets everything arrive that is still on its way, in the order of sending. */
    void deliverLateRequests() {
        List<Late> all;
        synchronized (this) {
            all = List.copyOf(late);
            late.clear();
        }
        all.forEach(l -> arrive(l.request()));
    }

    private static void arrive(Supplier<?> request) {
        try {
            var unused = request.get();
        } catch (OntologiaException lost) {
            // The server's complaint goes the way of its reply: nobody gets it.
        }
    }

    private static OntologiaException failure(ErrorKind kind, StoreOperation operation, String cause) {
        return new OntologiaException(kind, "a request " + operation + " failed", cause, "try again later");
    }
}
