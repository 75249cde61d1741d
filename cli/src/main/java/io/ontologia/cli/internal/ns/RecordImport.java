package io.ontologia.cli.internal.ns;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PublishOutcome;
import io.ontologia.nameservice.Publisher;
import io.ontologia.nameservice.spi.RecordRules;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings single records into a nameservice, or tells what that would do. */
final class RecordImport {
    private final Nameservice names;
    private final Publisher publisher;
    private final boolean apply;

    RecordImport(Nameservice names, Clock clock, boolean apply) {
        this.names = names;
        this.publisher = new Publisher(names, clock, new SecureRandom());
        this.apply = apply;
    }

    /** What became of a record: {@code created}, {@code moved}, {@code same}, {@code diverged} or {@code incomplete}. */
    record Result(String outcome, @Nullable String reason) {}

    Result bring(NameRecord wanted) {
        Optional<NameRecord> present = names.lookup(wanted.alias());
        for (Concern concern : Concern.values()) {
            Optional<String> reason = present.flatMap(actual -> difference(actual, wanted, concern));
            if (reason.isPresent()) {
                return new Result("diverged", reason.get());
            }
        }
        if (present.isPresent() && isThere(present.get(), wanted)) {
            return new Result("same", null);
        }
        NameRecord base = present.orElseGet(() -> RecordRules.unborn(asNew(wanted), wanted.createdAt()));
        for (Concern concern : Concern.values()) {
            // What cannot be pushed is found here, in a dry run too, and before anything is changed.
            pushed(base, wanted, concern)
                    .ifPresent(next -> RecordRules.requirePushable(concern, base.concern(concern), next));
        }
        if (apply) {
            if (present.isEmpty()) {
                create(wanted);
            }
            Optional<String> refused = move(base, wanted);
            if (refused.isPresent()) {
                return new Result("diverged", refused.get());
            }
        }
        Optional<String> left = left(base, wanted);
        return left.map(reason -> new Result("incomplete", reason))
                .orElseGet(() -> new Result(present.isEmpty() ? "created" : "moved", null));
    }

    /** What cannot be brought: a payload at watermark 0 cannot be pushed. */
    private static Optional<String> left(NameRecord base, NameRecord wanted) {
        for (Concern concern : Concern.values()) {
            ConcernValue value = wanted.concern(concern);
            if (value.watermark() == 0
                    && !value.equals(base.concern(concern))
                    && base.concern(concern).isUnborn()) {
                return Optional.of("its " + concern.wireName() + " at watermark 0 cannot be pushed, and is left out");
            }
        }
        return base.deps().equals(wanted.deps()) ? Optional.empty() : Optional.of("it depends on other records there");
    }

    /** What is pushed so that a concern gets where it is wanted; empty for nothing. */
    private static Optional<ConcernValue> pushed(NameRecord base, NameRecord wanted, Concern concern) {
        ConcernValue value = wanted.concern(concern);
        ConcernValue there = base.concern(concern);
        if (concern == Concern.STATUS && wanted.isRetracted()) {
            // The retraction that follows adds one, and nothing else may say "retracted".
            value = new ConcernValue(
                    Math.max(0, value.watermark() - 1),
                    value.payload()
                            .map(status -> status.with("state", "ready")
                                    .without("retracted_at")
                                    .without("reason")));
        } else if (concern == Concern.STATUS && isFresh(there) && value.watermark() == 1 && !value.equals(there)) {
            // A new record has its own status 1.
            value = new ConcernValue(2, value.payload());
        }
        return value.watermark() > there.watermark() ? Optional.of(value) : Optional.empty();
    }

    private static boolean isFresh(ConcernValue status) {
        return status.equals(ConcernValue.of(1, Map.of("state", "ready")));
    }

    private static boolean isThere(NameRecord actual, NameRecord wanted) {
        for (Concern concern : Concern.values()) {
            if (actual.concern(concern).watermark() < wanted.concern(concern).watermark()) {
                return false;
            }
        }
        return !isFresh(actual.status())
                || actual.status().equals(wanted.status())
                || wanted.status().watermark() != 1;
    }

    /** Why a concern cannot be brought where it is wanted. */
    private static Optional<String> difference(NameRecord actual, NameRecord wanted, Concern concern) {
        ConcernValue here = actual.concern(concern);
        ConcernValue there = wanted.concern(concern);
        if (!actual.type().equals(wanted.type())) {
            return Optional.of("it is a " + actual.type() + " and not a " + wanted.type());
        }
        if (here.watermark() == there.watermark() && !here.equals(there)) {
            // Both sides retract a record at a time of their own.
            boolean bothRetracted = concern == Concern.STATUS && actual.isRetracted() && wanted.isRetracted();
            // A status that nothing ever changed gives way to the status 1 of version 1.
            boolean fresh = concern == Concern.STATUS && isFresh(here);
            return bothRetracted || fresh
                    ? Optional.empty()
                    : Optional.of("it has another " + concern.wireName() + " " + here.watermark());
        }
        if (actual.isRetracted() && here.watermark() < there.watermark()) {
            return Optional.of("it is retracted there");
        }
        return Optional.empty();
    }

    private static NewRecord asNew(NameRecord wanted) {
        return new NewRecord(wanted.alias(), wanted.type(), wanted.deps(), Optional.of(wanted.createdAt()));
    }

    private void create(NameRecord wanted) {
        if (names.create(asNew(wanted)) instanceof CreateOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    /** Moves what is behind; tells when another client was faster. */
    private Optional<String> move(NameRecord base, NameRecord wanted) {
        for (Concern concern : Concern.values()) {
            Optional<ConcernValue> value = pushed(base, wanted, concern);
            if (value.isPresent()) {
                PublishOutcome outcome = publisher.fastForward(wanted.alias(), concern, value.get());
                if (outcome instanceof PublishOutcome.Unknown unknown) {
                    throw unknown.reason();
                }
                // One that is ahead by now stays where it is.
                boolean another = outcome instanceof PublishOutcome.Diverged diverged
                        && diverged.actual().watermark() == value.get().watermark();
                if (another || outcome instanceof PublishOutcome.Contended) {
                    return Optional.of("its " + concern.wireName() + " was changed meanwhile");
                }
            }
        }
        if (wanted.isRetracted()) {
            String reason = wanted.status()
                    .payload()
                    .flatMap(status -> status.text("reason"))
                    .orElse("");
            LifecycleOutcome outcome = names.retract(wanted.alias(), reason);
            if (outcome instanceof LifecycleOutcome.Unknown unknown) {
                throw unknown.reason();
            }
        }
        return Optional.empty();
    }
}
