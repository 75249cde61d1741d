package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Pushes with retry, on top of any nameservice: reads what is there, pushes on it, and after a conflict tries again on what it
 * conflicted with, while that can still work; bounded in attempts and time, with jitter. Safe for use by many threads when the random
 * generator is.
 */
public final class Publisher {
    private static final RetryPolicy DEFAULT =
            new RetryPolicy(20, Duration.ofMillis(5), Duration.ofMillis(250), Duration.ofSeconds(10));

    private final Nameservice names;
    private final Retry retry;

    /** With at most 20 attempts in at most 10 seconds. */
    public Publisher(Nameservice names, Clock clock, RandomGenerator random) {
        this(names, DEFAULT, clock, random);
    }

    /** With another bound. */
    public Publisher(Nameservice names, RetryPolicy policy, Clock clock, RandomGenerator random) {
        this.names = names;
        this.retry = new Retry(policy, clock, random);
    }

    /**
     * Moves a concern forward to a given value: the monotonic push of a head. Whatever lies before it is replaced, whatever lies at
     * or after its watermark is kept and reported as divergence.
     *
     * @throws NameNotFoundException when there is no such record
     * @throws NameRetractedException when it is retracted
     */
    public PublishOutcome fastForward(Alias alias, Concern concern, ConcernValue next) {
        return run(alias, concern, actual -> {
            if (actual.equals(next)) {
                return new Plan.Stop(new PublishOutcome.Unchanged(actual));
            }
            return actual.watermark() >= next.watermark()
                    ? new Plan.Stop(new PublishOutcome.Diverged(actual))
                    : new Plan.Push(next);
        });
    }

    /**
     * Changes a concern whose watermark counts changes: computes the payload from what is there, again after each conflict.
     *
     * @param change the new payload, or empty when there is nothing to do; called once for each attempt
     * @throws NameNotFoundException when there is no such record
     * @throws NameRetractedException when it is retracted
     */
    public PublishOutcome change(
            Alias alias, Concern concern, Function<ConcernValue, Optional<ConcernPayload>> change) {
        return run(alias, concern, actual -> {
            Optional<ConcernPayload> payload = change.apply(actual);
            return payload.<Plan>map(p -> new Plan.Push(actual.next(p)))
                    .orElseGet(() -> new Plan.Stop(new PublishOutcome.Unchanged(actual)));
        });
    }

    private sealed interface Plan {
        record Push(ConcernValue next) implements Plan {}

        record Stop(PublishOutcome outcome) implements Plan {}
    }

    private PublishOutcome run(Alias alias, Concern concern, Function<ConcernValue, Plan> plan) {
        Retry.Attempts attempts = retry.start();
        ConcernValue expected = read(alias, concern);
        while (true) {
            Plan planned = plan.apply(expected);
            if (!(planned instanceof Plan.Push push)) {
                return ((Plan.Stop) planned).outcome();
            }
            PushOutcome outcome = names.push(alias, concern, expected, push.next());
            if (outcome instanceof PushOutcome.Updated) {
                return new PublishOutcome.Published(push.next());
            }
            if (outcome instanceof PushOutcome.Unknown unknown) {
                ConcernValue now = read(alias, concern);
                if (now.equals(push.next())) {
                    return new PublishOutcome.Published(now);
                }
                if (now.watermark() >= push.next().watermark()) {
                    return new PublishOutcome.Unknown(unknown.reason());
                }
                expected = now;
            } else {
                expected = ((PushOutcome.Conflict) outcome).actual();
            }
            if (!attempts.waitForNext()) {
                return outcome instanceof PushOutcome.Unknown unknown
                        ? new PublishOutcome.Unknown(unknown.reason())
                        : plan.apply(expected) instanceof Plan.Stop stop
                                ? stop.outcome()
                                : new PublishOutcome.Contended(expected);
            }
        }
    }

    private ConcernValue read(Alias alias, Concern concern) {
        return names.concern(alias, concern).orElseThrow(() -> new NameNotFoundException(alias));
    }
}
