package io.ontologia.nameservice;

import java.util.Optional;

/** Makes a record of one nameservice like one of another. */
final class RecordCopy {
    private final Nameservice target;

    RecordCopy(Nameservice target) {
        this.target = target;
    }

    /** Creates a record like the source, unborn; the one that is there when there is one. */
    NameRecord created(NameRecord source) {
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

    /**
     * Retracts a record as the source is retracted. A retraction raises the watermark of the status by one, so the status is brought
     * to the one before it.
     */
    void retract(NameRecord source) {
        ConcernValue actual = require(source.alias()).status();
        long before = source.status().watermark() - 1;
        if (before > actual.watermark()) {
            ConcernPayload payload = source.status()
                    .payload()
                    .orElse(ConcernPayload.of(java.util.Map.of()))
                    .with("state", "ready")
                    .without("retracted_at")
                    .without("reason");
            requireDone(target.push(source.alias(), Concern.STATUS, actual, ConcernValue.of(before, payload)));
        }
        String reason = source.status()
                .payload()
                .flatMap(status -> status.text("reason"))
                .orElse("");
        requireDone(target.retract(source.alias(), reason));
    }

    /** Restores a record that the source is not retracted any more. */
    NameRecord restored(Alias alias) {
        requireDone(target.restore(alias));
        return require(alias);
    }

    /** Removes a record. */
    void remove(Alias alias) {
        requireDone(target.retract(alias, "replaced"));
        if (target.purge(alias) instanceof PurgeOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    /** Removes a record and makes a new one like the source: watermarks only rise, so it cannot go back otherwise. */
    void replace(NameRecord source) {
        remove(source.alias());
        NameRecord fresh = created(source);
        for (Concern concern : Concern.values()) {
            ConcernValue wanted = source.concern(concern);
            boolean retractedLater = concern == Concern.STATUS && source.isRetracted();
            if (!retractedLater && wanted.watermark() > fresh.concern(concern).watermark()) {
                requireDone(target.push(source.alias(), concern, fresh.concern(concern), wanted));
            }
        }
        if (source.isRetracted()) {
            retract(source);
        }
    }

    private NameRecord require(Alias alias) {
        return target.lookup(alias).orElseThrow(() -> new NameNotFoundException(alias));
    }

    private static void requireDone(LifecycleOutcome outcome) {
        if (outcome instanceof LifecycleOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    private static void requireDone(PushOutcome outcome) {
        if (outcome instanceof PushOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }
}
