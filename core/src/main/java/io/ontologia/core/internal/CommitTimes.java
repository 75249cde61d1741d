package io.ontologia.core.internal;

import io.ontologia.core.CommitAtTime;
import io.ontologia.core.CommitAtTime.CommitRange;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;

/** What the times of commits say about clocks that were wrong. */
public final class CommitTimes {
    private final Storage storage;
    private final Clock clock;

    /** Compares the commits of a store with a clock. */
    public CommitTimes(Storage storage, Clock clock) {
        this.storage = storage;
        this.clock = clock;
    }

    /** Which commit a time means. */
    public CommitAtTime at(Instant moment) {
        long chosen = storage.commitAt(moment);
        long head = storage.head();
        return chosen >= head
                ? new CommitAtTime(chosen, Optional.empty(), Optional.empty())
                : new CommitAtTime(chosen, sameTimeFrom(chosen + 1), aheadFrom(chosen + 1, head));
    }

    private Optional<CommitRange> sameTimeFrom(long first) {
        Optional<CommitInfo> next = storage.commit(first);
        return next.flatMap(one -> storage.commit(storage.commitAt(one.at())))
                .filter(last -> last.id() > first && last.at().equals(next.get().at()))
                .map(last -> new CommitRange(next.get(), last));
    }

    private Optional<CommitRange> aheadFrom(long first, long head) {
        Instant now = clock.now();
        Optional<CommitInfo> newest =
                storage.commit(head).filter(commit -> commit.at().isAfter(now));
        return newest.flatMap(last -> storage.commit(Math.max(first, storage.commitAt(now) + 1))
                .map(oldest -> new CommitRange(oldest, last)));
    }

    /** The newest commit, when it carries a time that is too far ahead of the clock. */
    public Optional<CommitInfo> newestAhead() {
        Instant limit = clock.now().plus(Storage.CLOCK_TOLERANCE);
        return storage.commit(storage.head()).filter(commit -> commit.at().isAfter(limit));
    }

    /** The same as what a check of the store reports; empty also when the log cannot be read. */
    public Optional<Finding> finding() {
        try {
            return newestAhead().map(newest -> {
                long first = storage.commitAt(clock.now().plus(Storage.CLOCK_TOLERANCE)) + 1;
                return new Finding(
                        "commit-time-ahead",
                        Finding.Severity.WARNING,
                        "commits carry times ahead of this clock: the clock of a writer was wrong, or this one is; new "
                                + "commits carry the same time until it has come, and questions by time leave them out: "
                                + "name commits by their ids",
                        newest.id() - first + 1,
                        "commit " + first + " to " + newest.id() + " at " + UtcTimestamp.format(newest.at()));
            });
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            return Optional.empty();
        }
    }
}
