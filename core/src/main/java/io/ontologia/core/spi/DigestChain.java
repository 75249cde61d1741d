package io.ontologia.core.spi;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Computes the digest of every commit from its rows, oldest first. Each digest builds on the one that is recorded for the commit
 * before, so that a change is found in the commit where it was made; where none is recorded, on the computed one.
 */
public final class DigestChain {
    /** The code of the finding that the rows of a commit cannot be read. */
    public static final String UNREADABLE = "unreadable-commit";

    /** How often to look for commits that were made meanwhile. */
    private static final int PASSES = 8;

    private final StoreHistory history;
    private final Purges purges = new Purges();
    private final ErasureRecords erasures = new ErasureRecords();
    private String previous = CommitDigest.START;

    public DigestChain(StoreHistory history) {
        this.history = history;
    }

    /**
     * A commit and what its digest must be.
     *
     * @param commit with the digest that is recorded for it, if there is one
     * @param digest computed from its rows
     */
    public record Link(CommitInfo commit, String digest) {
        /** Whether the commit is not the one for which a digest was recorded. */
        public boolean isBroken() {
            return commit.digest().filter(recorded -> !recorded.equals(digest)).isPresent();
        }
    }

    /** Reads the next commit and its rows. */
    public Optional<Link> next() {
        Optional<CommitInfo> next = history.next();
        if (next.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(link(next.get()));
    }

    private Link link(CommitInfo commit) {
        String digest = digest(commit);
        previous = commit.digest().orElse(digest);
        return new Link(commit, digest);
    }

    /** Whether an error says that something that was stored is gone or is not what it was. */
    private static boolean isDamage(OntologiaException e) {
        return e.kind() == ErrorKind.CORRUPT || e.kind() == ErrorKind.NOT_FOUND;
    }

    /** The digest of the commit that the history is at. */
    private String digest(CommitInfo commit) {
        Map<TypeRef, RowsDigest.Builder> builders = new LinkedHashMap<>();
        history.rows(
                past -> builders.computeIfAbsent(past.type(), RowsDigest::of).add(past.row()));
        List<ErasedRow> erased = history.erased();
        erased.forEach(
                row -> builders.computeIfAbsent(row.type(), RowsDigest::of).addErased(row.sha256()));
        erasures.passed(commit, erased);
        List<RowsDigest> rows = new ArrayList<>(history.purged());
        purges.passed(commit, rows);
        builders.values().forEach(builder -> rows.add(builder.build()));
        return CommitDigest.of(previous, commit, rows);
    }

    /**
     * Compares every commit with its digest.
     *
     * @return what was found; nothing when all commits are as they were written
     * @throws OntologiaException when the history cannot be read
     */
    public List<Finding> check(Progress progress) {
        Place broken = new Place();
        Place missing = new Place();
        Place unreadable = new Place();
        for (Optional<CommitInfo> next = history.next(); next.isPresent(); next = history.next()) {
            CommitInfo commit = next.get();
            progress.report("digests", commit.id(), history.head());
            try {
                Link link = link(commit);
                if (link.isBroken()) {
                    broken.add(commit);
                } else if (commit.digest().isEmpty()) {
                    missing.add(commit);
                }
            } catch (OntologiaException e) {
                if (!isDamage(e) || commit.digest().isEmpty()) {
                    throw e;
                }
                // The next commit builds on the digest that is recorded.
                previous = commit.digest().get();
                unreadable.add(commit);
            }
        }
        List<Finding> findings = new ArrayList<>();
        if (unreadable.count > 0) {
            findings.add(new Finding(
                    UNREADABLE,
                    Severity.ERROR,
                    "the rows of commits cannot be read: restore them from a backup",
                    unreadable.count,
                    unreadable.first));
        }
        if (broken.count > 0) {
            findings.add(new Finding(
                    "digest-mismatch",
                    Severity.ERROR,
                    "the rows, the time or the metadata of commits are not what was written, or their digest was changed:"
                            + " restore the store from a backup",
                    broken.count,
                    broken.first));
        }
        purges.unexplained().ifPresent(findings::add);
        erasures.unexplained().ifPresent(findings::add);
        if (missing.count > 0) {
            findings.add(new Finding(
                    "digest-missing",
                    Severity.INFO,
                    "commits have no digest, because an earlier version or another program wrote them or the commit before"
                            + " them: 'onto digest --apply' records it",
                    missing.count,
                    missing.first));
        }
        return findings;
    }

    /**
     * Computes digests up to a commit, or up to the newest one.
     *
     * @return the last commit that was read; empty when there is none
     */
    public Optional<Link> upTo(OptionalLong commitId, Progress progress) {
        Optional<Link> last = Optional.empty();
        for (Optional<Link> link = next(); link.isPresent(); link = next()) {
            long id = link.get().commit().id();
            if (id > commitId.orElse(Long.MAX_VALUE)) {
                break;
            }
            progress.report("digests", id, history.head());
            last = link;
        }
        return last;
    }

    /**
     * Records the digests of all commits that have none. Commits that are made meanwhile are covered too.
     *
     * @param histories opens the history as it is now
     * @param record stores digests by commit, and returns how many were new
     * @return how many were recorded
     */
    public static long recordMissing(
            Supplier<StoreHistory> histories, Progress progress, ToLongFunction<Map<Long, String>> record) {
        long recorded = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            Map<Long, String> missing;
            try (StoreHistory history = histories.get()) {
                missing = new DigestChain(history).missing(progress);
            }
            if (missing.isEmpty()) {
                break;
            }
            recorded += record.applyAsLong(missing);
        }
        return recorded;
    }

    /** The digests of commits that have none, oldest first. The rows of other commits are not read. */
    private Map<Long, String> missing(Progress progress) {
        Map<Long, String> missing = new LinkedHashMap<>();
        for (Optional<CommitInfo> next = history.next(); next.isPresent(); next = history.next()) {
            CommitInfo commit = next.get();
            progress.report("digests", commit.id(), history.head());
            previous = commit.digest().orElseGet(() -> digest(commit));
            if (commit.digest().isEmpty()) {
                missing.put(commit.id(), previous);
            }
        }
        return missing;
    }

    private static final class Place {
        private long count;
        private String first = "";

        void add(CommitInfo commit) {
            first = count++ == 0 ? "commit " + commit.id() : first;
        }
    }
}
