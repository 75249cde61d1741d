package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Pushes with retry, on top of any nameservice: reads what is there, pushes on it, and after a conflict tries again on what it
 * conflicted with, while that can still work; bounded in attempts and time, with jitter. A push whose reply was lost is found again
 * by its value and not made twice. Safe for use by many threads when the random generator is.
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
        LostPushes lost = new LostPushes();
        while (true) {
            Plan planned = plan.apply(expected);
            if (!(planned instanceof Plan.Push push)) {
                return lost.unknown().orElse(((Plan.Stop) planned).outcome());
            }
            PushOutcome outcome;
            try {
                outcome = names.push(alias, concern, expected, push.next());
                if (outcome instanceof PushOutcome.Unknown unknown) {
                    lost.add(push.next(), unknown.reason());
                    expected = read(alias, concern);
                }
            } catch (OntologiaException e) {
                // An error says that nothing was changed, which a push before this one may belie.
                return lost.unknown().orElseThrow(() -> e);
            }
            if (outcome instanceof PushOutcome.Updated) {
                return new PublishOutcome.Published(push.next());
            }
            if (outcome instanceof PushOutcome.Conflict conflict) {
                expected = conflict.actual();
            }
            Optional<PublishOutcome> settled = lost.settledBy(expected);
            if (settled.isPresent()) {
                return settled.get();
            }
            if (!attempts.waitForNext()) {
                return lost.unknown()
                        .orElse(
                                plan.apply(expected) instanceof Plan.Stop stop
                                        ? stop.outcome()
                                        : new PublishOutcome.Contended(expected));
            }
        }
    }

    /** The pushes of one call whose replies were lost: each of them may still land, until the watermark has passed it. */
    private static final class LostPushes {
        private final List<ConcernValue> values = new ArrayList<>();
        private @Nullable OntologiaException reason;

        void add(ConcernValue value, OntologiaException why) {
            values.add(value);
            reason = why;
        }

        /** That nobody knows, when a push was lost. */
        Optional<PublishOutcome> unknown() {
            return Optional.ofNullable(reason).map(PublishOutcome.Unknown::new);
        }

        /** What the value that stands now says of them; empty when one may try again. */
        Optional<PublishOutcome> settledBy(ConcernValue actual) {
            if (values.contains(actual)) {
                return Optional.of(new PublishOutcome.Published(actual));
            }
            return values.stream().anyMatch(value -> value.watermark() <= actual.watermark())
                    ? unknown()
                    : Optional.empty();
        }
    }

    private ConcernValue read(Alias alias, Concern concern) {
        return names.concern(alias, concern).orElseThrow(() -> new NameNotFoundException(alias));
    }
}
