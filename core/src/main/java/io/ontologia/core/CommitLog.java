package io.ontologia.core;

import io.ontologia.core.internal.CommitTimes;
import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that ever happened to a store, commit by commit. */
public final class CommitLog {
    private final Storage storage;
    private final CommitTimes times;

    CommitLog(Storage storage, Clock clock) {
        this.storage = storage;
        this.times = new CommitTimes(storage, clock);
    }

    /** The newest so many commits, newest first. */
    public List<CommitInfo> last(int count) {
        if (count < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid number of commits " + count, "it is negative", "use 0 or more");
        }
        try (Stream<CommitInfo> commits = storage.commits(0, OptionalLong.empty())) {
            return commits.limit(count).toList();
        }
    }

    /** Every commit after this one, newest first. */
    public List<CommitInfo> since(long commitId) {
        try (Stream<CommitInfo> commits = storage.commits(commitId, OptionalLong.empty())) {
            return commits.toList();
        }
    }

    /** One commit. */
    public Optional<CommitInfo> get(long commitId) {
        return storage.commit(commitId);
    }

    /**
     * Which commit {@code asOf} of a time means. Commits carry the time of the clock of the process that made them, and never one
     * before that of the commit before them; so after a clock was ahead, several commits may carry one time.
     */
    public CommitAtTime at(Instant moment) {
        return times.at(moment);
    }

    /**
     * The newest commit, when the time that it carries is more than five minutes ahead of the clock of this process. New
     * commits carry the same time until it has come.
     */
    public Optional<CommitInfo> aheadOfClock() {
        return times.newestAhead();
    }

    /** What a commit did, by kind, type and identity. */
    public List<Change> changes(long commitId) {
        requireKnown(commitId);
        try (Stream<Change> changes = storage.changes(commitId)) {
            return changes.toList();
        }
    }

    /**
     * What became of each row between two commits: one change for each that differs, from its payload at {@code from} to
     * its payload at {@code to}. Rows that changed and changed back are left out.
     *
     * @param from 0 for the time before the first commit
     */
    public List<Change> diff(long from, long to) {
        if (from != 0) {
            requireKnown(from);
        }
        requireKnown(to);
        if (from > to) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot compare commit " + from + " with " + to,
                    "the first is newer than the second",
                    "swap them");
        }
        Map<List<Object>, Change> net = new LinkedHashMap<>();
        for (long commit = from + 1; commit <= to; commit++) {
            try (Stream<Change> changes = storage.changes(commit)) {
                changes.forEach(
                        change -> net.merge(List.of(change.type(), change.identity()), change, CommitLog::join));
            }
        }
        return net.values().stream()
                .filter(change -> !change.before().equals(Optional.of(change.after())))
                .toList();
    }

    private static Change join(Change first, Change second) {
        Optional<Map<String, @Nullable Object>> before = first.before();
        return new Change(first.type(), first.identity(), first.operation(), before, second.after());
    }

    private void requireKnown(long commitId) {
        if (storage.commit(commitId).isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown commit " + commitId,
                    "the newest is " + storage.head(),
                    "see 'onto commits' for those that exist");
        }
    }
}
