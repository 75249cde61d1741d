package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings one record of a nameservice in step with the record of another one. Used once, by one thread. */
final class Synchronization {
    private final TrackingStore tracking;
    private final Nameservice names;
    private final RecordCopy copy;
    private final Upstream.Direction direction;
    private final Alias alias;
    private final NameRecord source;
    private final boolean sourceWins;
    private final boolean targetWins;
    private final Map<Concern, SyncOutcome> outcomes = new EnumMap<>(Concern.class);
    private final List<SyncReport.Note> notes = new ArrayList<>();
    private NameRecord target;

    /**
     * @param names where the target is
     * @param source the record that gives
     * @param target the record that takes
     */
    Synchronization(
            TrackingStore tracking,
            Nameservice names,
            Upstream.Direction direction,
            NameRecord source,
            NameRecord target,
            boolean sourceWins,
            boolean targetWins) {
        this.tracking = tracking;
        this.names = names;
        this.copy = new RecordCopy(names);
        this.direction = direction;
        this.alias = source.alias();
        this.source = source;
        this.target = target;
        this.sourceWins = sourceWins;
        this.targetWins = targetWins;
    }

    SyncReport run() {
        boolean follows = source.lifecycle() != target.lifecycle() && follows();
        if (follows && target.isRetracted()) {
            target = copy.restored(alias);
        }
        boolean retracts = follows && source.isRetracted();
        for (Concern concern : Concern.values()) {
            if (!(retracts && concern == Concern.STATUS)) {
                outcomes.put(concern, concern(concern));
            }
        }
        if (retracts) {
            copy.retract(source);
            outcomes.put(Concern.STATUS, new SyncOutcome.Moved(source.status()));
        }
        boolean stuck = outcomes.values().stream()
                .anyMatch(outcome -> outcome instanceof SyncOutcome.Diverged || outcome instanceof SyncOutcome.Refused);
        if (stuck && sourceWins) {
            copy.replace(source);
            for (Concern concern : Concern.values()) {
                outcomes.put(concern, new SyncOutcome.Moved(source.concern(concern)));
            }
            note(SyncReport.Subject.LIFECYCLE, SyncReport.Result.MOVED, "it was replaced by the other side's record");
        }
        outcomes.forEach(this::remember);
        deps();
        return new SyncReport(outcomes, notes);
    }

    /** Whether the target follows the retraction or the restoration of the source. */
    private boolean follows() {
        String what = source.isRetracted() ? "retracted" : "active";
        String where = direction == Upstream.Direction.PULL ? "upstream" : "here";
        boolean sourceMoved = !isAsBefore(source.status(), Concern.STATUS);
        boolean targetMoved = !isAsBefore(target.status(), Concern.STATUS);
        if (sourceWins || (sourceMoved && !targetMoved)) {
            note(SyncReport.Subject.LIFECYCLE, SyncReport.Result.MOVED, "it is " + what + " on both sides now");
            return true;
        }
        boolean diverged = sourceMoved && !targetWins;
        note(
                SyncReport.Subject.LIFECYCLE,
                diverged ? SyncReport.Result.DIVERGED : SyncReport.Result.BEHIND,
                "it is " + what + " " + where + " and not on the other side");
        return false;
    }

    private SyncOutcome concern(Concern concern) {
        ConcernValue next = source.concern(concern);
        ConcernValue old = target.concern(concern);
        if (isSame(next, old)) {
            return new SyncOutcome.InStep(next);
        }
        if (isAsBefore(next, concern)) {
            return new SyncOutcome.Behind(here(concern), there(concern));
        }
        boolean forward = next.watermark() > old.watermark();
        if (forward && (sourceWins || isAsBefore(old, concern))) {
            return target.isRetracted()
                    ? new SyncOutcome.Refused(new NameRetractedException(alias))
                    : moved(concern, old, next);
        }
        if (targetWins) {
            tracking.remember(alias, concern, next);
            return new SyncOutcome.Behind(here(concern), there(concern));
        }
        return new SyncOutcome.Diverged(here(concern), there(concern));
    }

    private ConcernValue here(Concern concern) {
        return (direction == Upstream.Direction.PULL ? target : source).concern(concern);
    }

    private ConcernValue there(Concern concern) {
        return (direction == Upstream.Direction.PULL ? source : target).concern(concern);
    }

    /** Whether a side did not move since it was last seen in step, or ever, when it never was. */
    private boolean isAsBefore(ConcernValue value, Concern concern) {
        return tracking.lastSeen(alias, concern)
                .map(base -> isSame(value, base))
                .orElse(concern == Concern.STATUS ? value.watermark() <= 1 && !isRetraction(value) : value.isUnborn());
    }

    /** Whether two values are in step: equal, or two retractions, whose times differ. */
    private static boolean isSame(ConcernValue one, ConcernValue other) {
        return one.equals(other) || (isRetraction(one) && isRetraction(other));
    }

    private static boolean isRetraction(ConcernValue value) {
        return value.payload()
                .flatMap(payload -> payload.text("state"))
                .filter("retracted"::equals)
                .isPresent();
    }

    private SyncOutcome moved(Concern concern, ConcernValue old, ConcernValue next) {
        try {
            PushOutcome outcome = names.push(alias, concern, old, next);
            if (outcome instanceof PushOutcome.Updated updated) {
                return new SyncOutcome.Moved(updated.value());
            }
            if (outcome instanceof PushOutcome.Conflict conflict) {
                ConcernValue actual = conflict.actual();
                return actual.equals(next)
                        ? new SyncOutcome.InStep(next)
                        : direction == Upstream.Direction.PULL
                                ? new SyncOutcome.Diverged(actual, next)
                                : new SyncOutcome.Diverged(next, actual);
            }
            return new SyncOutcome.Unknown(((PushOutcome.Unknown) outcome).reason());
        } catch (NameRetractedException | NameNotFoundException e) {
            return new SyncOutcome.Refused(e);
        }
    }

    private void remember(Concern concern, SyncOutcome outcome) {
        Optional<ConcernValue> value = outcome instanceof SyncOutcome.InStep inStep
                ? Optional.of(inStep.value())
                : outcome instanceof SyncOutcome.Moved moved ? Optional.of(moved.value()) : Optional.empty();
        value.filter(now -> !tracking.lastSeen(alias, concern).equals(Optional.of(now)))
                .ifPresent(now -> tracking.remember(alias, concern, now));
    }

    private void deps() {
        Optional<List<String>> base = tracking.lastDeps(alias);
        boolean sourceMoved = !source.deps().equals(base.orElse(List.of()));
        boolean targetMoved = !target.deps().equals(base.orElse(List.of()));
        if (source.deps().equals(target.deps())) {
            if (sourceMoved) {
                tracking.rememberDeps(alias, source.deps());
            }
        } else if (sourceWins || (sourceMoved && !targetMoved)) {
            setDeps();
        } else {
            boolean diverged = sourceMoved && !targetWins;
            note(
                    SyncReport.Subject.DEPS,
                    diverged ? SyncReport.Result.DIVERGED : SyncReport.Result.BEHIND,
                    "the two sides depend on different records");
        }
    }

    private void setDeps() {
        try {
            if (names.setDeps(alias, source.deps()) instanceof LifecycleOutcome.Unknown unknown) {
                throw unknown.reason();
            }
            tracking.rememberDeps(alias, source.deps());
            note(SyncReport.Subject.DEPS, SyncReport.Result.MOVED, "both sides depend on the same records now");
        } catch (OntologiaException e) {
            note(SyncReport.Subject.DEPS, SyncReport.Result.DIVERGED, String.valueOf(e.getMessage()));
        }
    }

    private void note(SyncReport.Subject subject, SyncReport.Result result, String reason) {
        notes.add(new SyncReport.Note(subject, result, reason));
    }
}
