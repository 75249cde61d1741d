package io.ontologia.core;

import io.ontologia.core.internal.CommitTimes;
import io.ontologia.core.internal.QueryScope;
import io.ontologia.core.internal.Unreadable;
import io.ontologia.core.internal.VersionedChanges;
import io.ontologia.core.spi.LogQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that ever happened to a store, commit by commit. */
public final class CommitLog {
    private final Storage storage;
    private final CommitTimes times;
    private final long newest;
    private final QueryScope scope;
    private final Unreadable unreadable;

    /**
     * @param newest later commits are not shown
     * @param scope shows rows in the schema version of the session
     */
    CommitLog(Storage storage, Clock clock, long newest, QueryScope scope) {
        this(storage, new CommitTimes(storage, clock), newest, scope, Unreadable.FAIL);
    }

    private CommitLog(Storage storage, CommitTimes times, long newest, QueryScope scope, Unreadable unreadable) {
        this.storage = storage;
        this.times = times;
        this.newest = newest;
        this.scope = scope;
        this.unreadable = unreadable;
    }

    /**
     * As {@link Query#omitUnreadable}: {@link #diff} then leaves out changes of rows that cannot be shown in the schema version of
     * the session. {@link #omitted} counts those rows.
     */
    public CommitLog omitUnreadable() {
        return new CommitLog(storage, times, newest, scope, Unreadable.OMIT);
    }

    /** The newest so many commits, newest first. */
    public List<CommitInfo> last(int count) {
        if (count < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid number of commits " + count, "it is negative", "use 0 or more");
        }
        try (Stream<CommitInfo> commits = storage.commits(0, OptionalLong.of(newest))) {
            return commits.limit(count).toList();
        }
    }

    /** Every commit after this one, newest first. */
    public List<CommitInfo> since(long commitId) {
        try (Stream<CommitInfo> commits = storage.commits(commitId, OptionalLong.of(newest))) {
            return commits.toList();
        }
    }

    /**
     * The commits that pass a filter, newest first.
     *
     * <p>Times choose a part of the log as {@link #at} does: the commits after the last one before {@code from}, up to the last
     * one at or before {@code until}. The commits of a row are those of its versions, which are found as any history of a key
     * is: on SQLite by an index, on objects in the files of its type. On SQLite, commits that are not listed are not read,
     * except where the author or the metadata decides. On objects a commit is read from its manifest, and manifests are read
     * from the newest one back to the oldest one that may pass: one request each, many at a time, and each only once while
     * the store is open.
     */
    public List<CommitInfo> find(CommitFilter filter) {
        try (Stream<CommitInfo> commits = stream(filter)) {
            return commits.toList();
        }
    }

    /** As {@link #find}, in constant memory. Close it. */
    public Stream<CommitInfo> stream(CommitFilter filter) {
        long after = Math.max(
                filter.after(),
                filter.from().map(time -> storage.commitAt(time.minusNanos(1))).orElse(0L));
        long upTo = Math.min(
                Math.min(newest, filter.upTo().orElse(Long.MAX_VALUE)),
                filter.until().map(storage::commitAt).orElse(Long.MAX_VALUE));
        if (upTo <= after) {
            return Stream.empty();
        }
        Optional<Set<Long>> ids = filter.row().map(row -> writersOf(filter.types(), row, after, upTo));
        if (ids.isPresent() && ids.get().isEmpty()) {
            return Stream.empty();
        }
        Set<TypeRef> types = ids.isPresent() ? Set.of() : filter.types();
        Stream<CommitInfo> commits = filter.looksIntoCommits()
                ? storage.commits(new LogQuery(after, OptionalLong.of(upTo), types, ids))
                : storage.commits(after, OptionalLong.of(upTo));
        return commits.filter(filter::describes).limit(filter.limit().orElse(Long.MAX_VALUE));
    }

    /** Commits by their ids, those that exist: one question to the store, however many there are. */
    public Map<Long, CommitInfo> get(Set<Long> commitIds) {
        if (commitIds.isEmpty()) {
            return Map.of();
        }
        LogQuery query = new LogQuery(0, OptionalLong.of(newest), Set.of(), Optional.of(commitIds));
        try (Stream<CommitInfo> commits = storage.commits(query)) {
            return commits.collect(Collectors.toMap(CommitInfo::id, commit -> commit));
        }
    }

    private Set<Long> writersOf(Set<TypeRef> types, Identity row, long after, long upTo) {
        Set<Long> commits = new HashSet<>();
        for (TypeRef type : types) {
            RowQuery.Restriction key = row instanceof Identity.OfRelation relation
                    ? new RowQuery.Restriction(RowQuery.Restriction.Part.LEFT, List.of(relation.leftKey()))
                    : new RowQuery.Restriction(RowQuery.Restriction.Part.KEY, List.of(row.toString()));
            RowQuery versions =
                    RowQuery.of(type, new Window.History(after, upTo)).restrictedTo(key);
            try (Stream<StoredRow> found = storage.rows(versions)) {
                found.filter(version -> version.identity().equals(row))
                        .forEach(version -> commits.add(version.commitId()));
            }
        }
        return commits;
    }

    /** One commit. */
    public Optional<CommitInfo> get(long commitId) {
        return commitId > newest ? Optional.empty() : storage.commit(commitId);
    }

    /**
     * Which commit {@code asOf} of a time means. Commits carry the time of the clock of the process that made them, and never one
     * before that of the commit before them; so after a clock was ahead, several commits may carry one time.
     */
    public CommitAtTime at(Instant moment) {
        CommitAtTime chosen = times.at(moment);
        return chosen.commitId() <= newest ? chosen : new CommitAtTime(newest, Optional.empty(), Optional.empty());
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
     * its payload at {@code to}, both in the schema version of the session. Rows that changed and changed back, began and ended, or
     * only got another form, are left out.
     *
     * @param from 0 for the time before the first commit
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when a row cannot be shown in the schema version of the
     *     session
     */
    public List<Change> diff(long from, long to) {
        return new VersionedChanges(scope, unreadable)
                .between(net(from, to), from, to).stream()
                        .filter(CommitLog::isChange)
                        .toList();
    }

    /** How many rows changed between two commits that cannot be shown in the schema version of the session. */
    public long omitted(long from, long to) {
        List<Change> stored = net(from, to);
        long shown = new VersionedChanges(scope, Unreadable.OMIT)
                .between(stored, from, to)
                .size();
        return stored.size() - shown;
    }

    private List<Change> net(long from, long to) {
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
        for (long commit : between(from, to)) {
            try (Stream<Change> changes = storage.changes(commit)) {
                changes.forEach(
                        change -> net.merge(List.of(change.type(), change.identity()), change, CommitLog::join));
            }
        }
        return net.values().stream().filter(CommitLog::isChange).toList();
    }

    /** Whether a row differs; one that began and ended in between does not. */
    private static boolean isChange(Change change) {
        return change.operation() == Change.Operation.RETRACT
                ? change.before().isPresent()
                : !change.before().equals(Optional.of(change.after()));
    }

    /** Those that exist, oldest first: in a damaged store the numbers between two commits may be too many to try. */
    private List<Long> between(long from, long to) {
        try (Stream<CommitInfo> commits = storage.commits(from, OptionalLong.of(to))) {
            List<Long> ids = new ArrayList<>(commits.map(CommitInfo::id).toList());
            Collections.reverse(ids);
            return ids;
        }
    }

    private static Change join(Change first, Change second) {
        Optional<Map<String, @Nullable Object>> before = first.before();
        Change.Operation operation = second.operation() == Change.Operation.RETRACT
                ? Change.Operation.RETRACT
                : before.isPresent() ? Change.Operation.UPDATE_VERSION : Change.Operation.INSERT;
        return new Change(first.type(), first.identity(), operation, before, second.after());
    }

    private void requireKnown(long commitId) {
        if (get(commitId).isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown commit " + commitId,
                    "the newest is " + Math.min(newest, storage.head()),
                    "see 'onto commits' for those that exist");
        }
    }
}
