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
import java.security.SecureRandom;
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

    /** What became of a record: {@code created}, {@code moved}, {@code same} or {@code diverged}. */
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
        if (apply) {
            if (present.isEmpty()) {
                create(wanted);
            }
            Optional<String> refused = move(wanted);
            if (refused.isPresent()) {
                return new Result("diverged", refused.get());
            }
        }
        return new Result(present.isEmpty() ? "created" : "moved", null);
    }

    private static boolean isThere(NameRecord actual, NameRecord wanted) {
        for (Concern concern : Concern.values()) {
            if (actual.concern(concern).watermark() < wanted.concern(concern).watermark()) {
                return false;
            }
        }
        return true;
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
            return bothRetracted
                    ? Optional.empty()
                    : Optional.of("it has another " + concern.wireName() + " " + here.watermark());
        }
        if (actual.isRetracted() && here.watermark() < there.watermark()) {
            return Optional.of("it is retracted there");
        }
        return Optional.empty();
    }

    private void create(NameRecord wanted) {
        CreateOutcome outcome = names.create(
                new NewRecord(wanted.alias(), wanted.type(), wanted.deps(), Optional.of(wanted.createdAt())));
        if (outcome instanceof CreateOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    /** Moves what is behind; tells when somebody else was faster. */
    private Optional<String> move(NameRecord wanted) {
        for (Concern concern : Concern.values()) {
            ConcernValue value = wanted.concern(concern);
            if (concern == Concern.STATUS && wanted.isRetracted()) {
                // A retraction adds one, and nothing else may say "retracted".
                value = new ConcernValue(
                        value.watermark() - 1,
                        value.payload()
                                .map(status -> status.with("state", "ready")
                                        .without("retracted_at")
                                        .without("reason")));
            }
            if (value.watermark() > (concern == Concern.STATUS ? 1 : 0)) {
                PublishOutcome outcome = publisher.fastForward(wanted.alias(), concern, value);
                if (outcome instanceof PublishOutcome.Unknown unknown) {
                    throw unknown.reason();
                }
                // One that is ahead by now stays where it is.
                boolean another = outcome instanceof PublishOutcome.Diverged diverged
                        && diverged.actual().watermark() == value.watermark();
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
