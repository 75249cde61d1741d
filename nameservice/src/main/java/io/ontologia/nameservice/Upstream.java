package io.ontologia.nameservice;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A local nameservice and the upstream that decides, as in git: {@link #push} offers local changes upstream, {@link #pull} brings
 * upstream changes home, for all four concerns of a record; {@link #forward} changes the upstream without a local write.
 *
 * <p>What was last seen in step is tracked. A side that still is as it was then is behind, and is moved forward; when both
 * moved, or differ at one watermark, that is divergence and is reported, never resolved here. Without tracking (the first time) the
 * higher watermark wins only over an unborn concern or a fresh status.
 *
 * <p>Nothing is atomic over several concerns; each is one compare-and-set. Safe for use by many threads.
 */
public final class Upstream {
    private final Nameservice local;
    private final Nameservice upstream;
    private final TrackingStore tracking;

    /** @param tracking what was last seen in step with this upstream */
    public Upstream(Nameservice local, Nameservice upstream, TrackingStore tracking) {
        this.local = local;
        this.upstream = upstream;
        this.tracking = tracking;
    }

    /**
     * Brings upstream changes of a record home, which is created when it is not here.
     *
     * @throws NameNotFoundException when the upstream has no such record
     */
    public Map<Concern, SyncOutcome> pull(Alias alias) {
        NameRecord theirs = upstream.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
        NameRecord ours = local.lookup(alias).orElseGet(() -> createdFrom(theirs, local));
        return synchronize(ours, theirs, local, Direction.PULL);
    }

    /**
     * Offers local changes of a record upstream, where it is created when it is not there.
     *
     * @throws NameNotFoundException when there is no such record here
     */
    public Map<Concern, SyncOutcome> push(Alias alias) {
        NameRecord ours = local.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
        NameRecord theirs = upstream.lookup(alias).orElseGet(() -> createdFrom(ours, upstream));
        return synchronize(ours, theirs, upstream, Direction.PUSH);
    }

    /** Pushes to the upstream alone; the next {@link #pull} brings it home. */
    public PushOutcome forward(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        return upstream.push(alias, concern, expected, next);
    }

    /** What was last seen in step. */
    public Optional<ConcernValue> lastSeen(Alias alias, Concern concern) {
        return tracking.lastSeen(alias, concern);
    }

    private enum Direction {
        PUSH,
        PULL
    }

    private static NameRecord createdFrom(NameRecord source, Nameservice target) {
        CreateOutcome outcome = target.create(
                new NewRecord(source.alias(), source.type(), source.deps(), Optional.of(source.createdAt())));
        if (outcome instanceof CreateOutcome.Created created) {
            return created.record();
        }
        if (outcome instanceof CreateOutcome.Exists exists) {
            return exists.actual();
        }
        throw ((CreateOutcome.Unknown) outcome).reason();
    }

    private Map<Concern, SyncOutcome> synchronize(
            NameRecord ours, NameRecord theirs, Nameservice target, Direction direction) {
        Map<Concern, SyncOutcome> outcomes = new EnumMap<>(Concern.class);
        for (Concern concern : Concern.values()) {
            SyncOutcome outcome = synchronize(ours, theirs, concern, target, direction);
            if (outcome instanceof SyncOutcome.InStep inStep) {
                remember(ours.alias(), concern, inStep.value());
            } else if (outcome instanceof SyncOutcome.Moved moved) {
                remember(ours.alias(), concern, moved.value());
            }
            outcomes.put(concern, outcome);
        }
        return outcomes;
    }

    private SyncOutcome synchronize(
            NameRecord ours, NameRecord theirs, Concern concern, Nameservice target, Direction direction) {
        ConcernValue here = ours.concern(concern);
        ConcernValue there = theirs.concern(concern);
        if (here.equals(there)) {
            return new SyncOutcome.InStep(here);
        }
        ConcernValue source = direction == Direction.PULL ? there : here;
        ConcernValue old = direction == Direction.PULL ? here : there;
        Optional<ConcernValue> base = tracking.lastSeen(ours.alias(), concern);
        if (isAsBefore(source, base, concern)) {
            return new SyncOutcome.Behind(here, there);
        }
        boolean canMove = isAsBefore(old, base, concern) && source.watermark() > old.watermark();
        if (!canMove) {
            return new SyncOutcome.Diverged(here, there);
        }
        if (ours.isRetracted() || theirs.isRetracted()) {
            return new SyncOutcome.Refused(new NameRetractedException(ours.alias()));
        }
        return moved(ours.alias(), concern, old, source, target, direction);
    }

    /** Whether a side did not move since it was last seen in step, or ever, when it never was. */
    private static boolean isAsBefore(ConcernValue value, Optional<ConcernValue> base, Concern concern) {
        return base.map(value::equals).orElse(concern == Concern.STATUS ? value.watermark() <= 1 : value.isUnborn());
    }

    private static SyncOutcome moved(
            Alias alias,
            Concern concern,
            ConcernValue old,
            ConcernValue next,
            Nameservice target,
            Direction direction) {
        try {
            PushOutcome outcome = target.push(alias, concern, old, next);
            if (outcome instanceof PushOutcome.Updated updated) {
                return new SyncOutcome.Moved(updated.value());
            }
            if (outcome instanceof PushOutcome.Conflict conflict) {
                ConcernValue actual = conflict.actual();
                return actual.equals(next)
                        ? new SyncOutcome.InStep(next)
                        : direction == Direction.PULL
                                ? new SyncOutcome.Diverged(actual, next)
                                : new SyncOutcome.Diverged(next, actual);
            }
            return new SyncOutcome.Unknown(((PushOutcome.Unknown) outcome).reason());
        } catch (NameRetractedException | NameNotFoundException e) {
            return new SyncOutcome.Refused(e);
        }
    }

    private void remember(Alias alias, Concern concern, ConcernValue value) {
        if (!tracking.lastSeen(alias, concern).equals(Optional.of(value))) {
            tracking.remember(alias, concern, value);
        }
    }
}
