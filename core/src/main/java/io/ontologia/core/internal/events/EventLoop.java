package io.ontologia.core.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Schedule;
import io.ontologia.core.Session;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.kernel.Clock;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does, cut into pieces that return: claim, handle, keep what is held. Threads are the caller's. Claiming is for
 * one thread at a time; everything else may be called from many.
 */
public final class EventLoop {
    private final EventStore bus;
    private final Identity identity;
    private final Clock clock;
    private final EventOptions options;
    private final Duration handlerLimit;
    private final Function<UnaryOperator<CommitRequest>, Session> sessions;
    private final Consumer<? super RuntimeException> onFailure;
    private final ClaimsInHand inHand;
    private final Ticker ticker;
    private final WorkerTelemetry telemetry;
    private final Object heartbeat = new Object();
    private @Nullable Instant lastHeartbeat;
    private boolean overdue;
    private volatile Instant nextRetry = Instant.MAX;

    /** Who the worker is on the bus. */
    public record Identity(String namespace, String sessionId, Map<String, @Nullable Object> metadata) {}

    /**
     * Does nothing yet.
     *
     * @param handlerLimit how long a handler may take for one event
     * @param sessions makes a session whose commits are completed as the argument says
     * @param onFailure told of trouble that does not concern the caller: a claim that could not be settled
     */
    public EventLoop(
            EventStore bus,
            Identity identity,
            Clock clock,
            EventOptions options,
            Duration handlerLimit,
            List<Handler> handlers,
            List<Schedule> schedules,
            Function<UnaryOperator<CommitRequest>, Session> sessions,
            OpenTelemetry telemetry,
            Consumer<? super RuntimeException> onFailure) {
        this.bus = bus;
        this.identity = identity;
        this.clock = clock;
        this.options = options;
        this.handlerLimit = handlerLimit;
        this.sessions = sessions;
        this.onFailure = onFailure;
        this.inHand = new ClaimsInHand(handlers, clock);
        this.telemetry = new WorkerTelemetry(telemetry, clock);
        this.ticker = new Ticker(bus, identity.namespace(), clock, schedules);
    }

    /** Fires what is due by the clock, and claims what the handlers can take; whether there was anything. */
    public boolean claim() {
        beat();
        try {
            ticker.fire();
            overdue = false;
        } catch (RuntimeException e) {
            // Tried again with the next claim; meanwhile there is other work.
            overdue = true;
            onFailure.accept(e);
        }
        List<ClaimRequest.Subscription> wanted = inHand.wanted(options);
        if (wanted.isEmpty()) {
            return false;
        }
        if (!nextRetry.isAfter(clock.now())) {
            nextRetry = Instant.MAX;
        }
        List<Claim> claims = bus.claim(new ClaimRequest(identity.namespace(), identity.sessionId(), wanted));
        telemetry.claimed(claims);
        if (!inHand.add(claims)) {
            bus.handBack(claims);
            return false;
        }
        return !claims.isEmpty();
    }

    /** How long until it is worth claiming again, when nobody rings before. */
    public Duration untilNextClaim() {
        Instant retry = nextRetry;
        Duration wait = overdue ? options.pollInterval() : ticker.untilNext(options.pollInterval());
        if (retry.isBefore(clock.now().plus(wait))) {
            Duration soon = Duration.between(clock.now(), retry);
            return soon.isNegative() ? Duration.ZERO : soon;
        }
        return wait;
    }

    /** Handles everything in hand on the calling thread, the handlers with the highest priority first. */
    public void handleAll() {
        for (Handler handler : inHand.handlers()) {
            for (Optional<HeldClaim> next = inHand.next(handler); next.isPresent(); next = inHand.next(handler)) {
                handle(next.get());
            }
        }
    }

    /**
     * Lets threads handle what is in hand, as many for each handler as it stands at the same time.
     *
     * @param whenDone called by a thread that has nothing left to do
     */
    public void handleAll(Executor threads, Runnable whenDone) {
        for (Handler handler : inHand.handlers()) {
            for (int more = inHand.hire(handler); more > 0; more--) {
                threads.execute(() -> {
                    for (Optional<HeldClaim> next = inHand.nextOrLeave(handler);
                            next.isPresent();
                            next = inHand.nextOrLeave(handler)) {
                        handle(next.get());
                    }
                    whenDone.run();
                });
            }
        }
    }

    private void handle(HeldClaim held) {
        try {
            HandlerRun run = new HandlerRun(held, options, clock, sessions);
            Optional<Throwable> failure = telemetry.handling(held.claim(), run::run);
            settle(held, run, failure);
            if (failure.isPresent() && failure.get() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        } catch (RuntimeException e) {
            // The claim runs out by itself, and the event is handled again.
            held.letGo();
            onFailure.accept(e);
        } finally {
            inHand.finished(held);
        }
    }

    private void settle(HeldClaim held, HandlerRun run, Optional<Throwable> failure) {
        if (failure.isEmpty() && !run.emitted().isEmpty()) {
            if (!held.isLive(clock.now())) {
                held.letGo();
                return;
            }
            bus.enqueue(run.emitted());
        }
        if (!held.letGo()) {
            return;
        }
        if (failure.isEmpty()) {
            bus.ack(List.of(held.claim()));
        } else {
            release(held.claim(), HandlerRun.describe(failure.get()));
        }
    }

    private void release(Claim claim, String error) {
        ClaimOutcome outcome = bus.release(claim, error);
        telemetry.released(claim, outcome);
        if (outcome instanceof ClaimOutcome.Retry retry && retry.availableAt().isBefore(nextRetry)) {
            nextRetry = retry.availableAt();
        }
    }

    /**
     * Gives up on handlers that take too long, renews the claims of the others, and says that the worker is alive; each only
     * when it is due.
     *
     * @return how long until something may be due again
     */
    public Duration keepAlive() {
        List<HeldClaim> due = new ArrayList<>();
        for (HeldClaim held : inHand.all()) {
            if (held.isOverdue(clock.monotonicNanos(), handlerLimit)) {
                giveUp(held);
            } else if (!held.claim().leaseUntil().isAfter(clock.now().plus(third().multipliedBy(2)))) {
                due.add(held);
            }
        }
        renew(due);
        beat();
        return third().compareTo(options.heartbeatInterval()) < 0 ? third() : options.heartbeatInterval();
    }

    private Duration third() {
        return options.claimLease().dividedBy(3);
    }

    private void giveUp(HeldClaim held) {
        if (held.letGo()) {
            release(held.claim(), "the handler was not done after " + handlerLimit.toMillis() + " ms, and given up");
        }
    }

    private void renew(List<HeldClaim> due) {
        if (due.isEmpty()) {
            return;
        }
        List<ClaimOutcome> outcomes =
                bus.renew(due.stream().map(HeldClaim::claim).toList());
        for (int i = 0; i < due.size(); i++) {
            if (outcomes.get(i) instanceof ClaimOutcome.Renewed renewed) {
                due.get(i).renewed(renewed.claim());
            } else {
                due.get(i).letGo();
            }
        }
    }

    private void beat() {
        synchronized (heartbeat) {
            Instant now = clock.now();
            if (lastHeartbeat == null) {
                bus.registerSession(identity.namespace(), identity.sessionId(), identity.metadata());
            } else if (now.isBefore(lastHeartbeat.plus(options.heartbeatInterval()))) {
                return;
            } else {
                bus.heartbeat(identity.namespace(), identity.sessionId());
            }
            lastHeartbeat = now;
        }
    }

    /**
     * Claims nothing any more; hands back at once what waits, and after the grace what is still being handled. Handlers that
     * run on cannot commit then, and what they emit is dropped.
     */
    public void stop(Duration grace) {
        handBack(inHand.stop());
        inHand.awaitIdle(grace);
        handBack(inHand.all());
    }

    private void handBack(List<HeldClaim> claims) {
        List<Claim> mine =
                claims.stream().filter(HeldClaim::letGo).map(HeldClaim::claim).toList();
        if (!mine.isEmpty()) {
            bus.handBack(mine);
        }
    }
}
