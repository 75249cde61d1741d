package io.ontologia.nameservice;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A local nameservice and the upstream that decides, as in git: {@link #push} offers local changes upstream, {@link #pull} brings
 * upstream changes home, for all four concerns of a record, its dependencies and its lifecycle; {@link #forward} changes the upstream
 * without a local write.
 *
 * <p>What was last seen in step is tracked. A side that still is as it was then is behind, and is moved forward; when both
 * moved, or differ at one watermark, that is divergence: it is reported, and a {@link Settlement} decides. Without tracking (the first
 * time) the higher watermark wins only over an unborn concern or a fresh status.
 *
 * <p>A retraction or restoration of one side is followed by the other when that is as before. A record that was seen in step and is
 * gone on one side was purged there; that is divergence, and never followed unasked. The times of two retractions differ; both being
 * retracted is being in step.
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
        var unused = upstream.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
        return pull(alias, Settlement.REPORT).concerns();
    }

    /**
     * Offers local changes of a record upstream, where it is created when it is not there.
     *
     * @throws NameNotFoundException when there is no such record here
     */
    public Map<Concern, SyncOutcome> push(Alias alias) {
        var unused = local.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
        return push(alias, Settlement.REPORT).concerns();
    }

    /**
     * As {@link #pull(Alias)}, for records that are gone upstream too.
     *
     * @throws NameNotFoundException when neither the upstream nor the tracking knows the record
     */
    public SyncReport pull(Alias alias, Settlement settlement) {
        return synchronize(alias, Direction.PULL, settlement);
    }

    /**
     * As {@link #push(Alias)}, for records that are gone here too.
     *
     * @throws NameNotFoundException when neither the local nameservice nor the tracking knows the record
     */
    public SyncReport push(Alias alias, Settlement settlement) {
        return synchronize(alias, Direction.PUSH, settlement);
    }

    /** The records that were seen in step before; some of them may be gone on one side. */
    public Set<Alias> known() {
        return tracking.known();
    }

    /** Pushes to the upstream alone; the next {@link #pull} brings it home. */
    public PushOutcome forward(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        return upstream.push(alias, concern, expected, next);
    }

    /** What was last seen in step. */
    public Optional<ConcernValue> lastSeen(Alias alias, Concern concern) {
        return tracking.lastSeen(alias, concern);
    }

    enum Direction {
        PUSH,
        PULL
    }

    private SyncReport synchronize(Alias alias, Direction direction, Settlement settlement) {
        boolean pull = direction == Direction.PULL;
        Nameservice from = pull ? upstream : local;
        Nameservice to = pull ? local : upstream;
        boolean sourceWins = settlement == (pull ? Settlement.THEIRS : Settlement.OURS);
        boolean targetWins = settlement == (pull ? Settlement.OURS : Settlement.THEIRS);
        Optional<NameRecord> source = from.lookup(alias);
        Optional<NameRecord> target = to.lookup(alias);
        boolean wasInStep = tracking.lastSeen(alias, Concern.STATUS).isPresent();
        if (source.isEmpty()) {
            if (!wasInStep) {
                throw new NameNotFoundException(alias);
            }
            return new PurgedSide(tracking, to, pull ? "upstream" : "here")
                    .settle(alias, target, sourceWins, targetWins);
        }
        if (target.isEmpty() && wasInStep) {
            if (!sourceWins) {
                return new PurgedSide(tracking, from, pull ? "here" : "upstream")
                        .settle(alias, source, targetWins, false);
            }
            tracking.forget(alias);
        }
        NameRecord there = target.isPresent() ? target.get() : new RecordCopy(to).created(source.get());
        return new Synchronization(tracking, to, direction, source.get(), there, sourceWins, targetWins).run();
    }
}
