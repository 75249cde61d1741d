package io.ontologia.nameservice;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A record that was in step and is gone on one side. It is removed from the other side when that is asked for. */
final class PurgedSide {
    private final TrackingStore tracking;
    private final Nameservice other;
    private final String where;

    /**
     * @param other the nameservice that may still have the record
     * @param where where it is gone, for people
     */
    PurgedSide(TrackingStore tracking, Nameservice other, String where) {
        this.tracking = tracking;
        this.other = other;
        this.where = where;
    }

    /**
     * Reports or settles it.
     *
     * @param left the record on the other side; empty when it is gone there too
     */
    SyncReport settle(Alias alias, Optional<NameRecord> left, boolean follow, boolean keep) {
        String gone = "it was purged " + where;
        if (left.isEmpty()) {
            tracking.forget(alias);
            return report(SyncReport.Result.MOVED, gone);
        }
        if (follow) {
            new RecordCopy(other).remove(alias);
            tracking.forget(alias);
            return report(SyncReport.Result.MOVED, gone + ", and is gone on both sides now");
        }
        if (keep) {
            tracking.forget(alias);
            return report(SyncReport.Result.BEHIND, gone + ", and is kept on the other side");
        }
        return report(SyncReport.Result.DIVERGED, gone);
    }

    private static SyncReport report(SyncReport.Result result, String reason) {
        return new SyncReport(Map.of(), List.of(new SyncReport.Note(SyncReport.Subject.LIFECYCLE, result, reason)));
    }
}
