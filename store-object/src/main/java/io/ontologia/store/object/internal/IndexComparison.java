package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Compares everything that an index says with the commits of a head. */
final class IndexComparison {

    /** What can be wrong with an index. */
    enum Problem {
        /** It names files, or claims commits, after the newest commit. */
        BEYOND_HEAD,
        /** Two of its files are for the same commit. */
        OVERLAP,
        /** It leaves out a commit that it claims to have. */
        MISSES_COMMIT,
        /**
         * It names another file for a commit than the commit does, or a snapshot of other files or that is gone, or a file
         * that is gone because a snapshot holds its rows.
         */
        WRONG_FILE
    }

    /** One difference. */
    record Difference(Problem problem, long commitId, String path) {}

    /** Compares rows where descriptors do not tell which files a snapshot was made of. */
    interface Content {
        /**
         * Whether a snapshot has other rows than the files of commits, or cannot be read.
         *
         * @param own the files of the commits in its range
         */
        boolean differs(TypeIndex.Entry snapshot, List<Snapshots.CommitFile> own);
    }

    private IndexComparison() {}

    /**
     * All differences.
     *
     * @param commits the commits of the head, as far as they can be followed
     * @param snapshots those of the type
     * @param gone the files of commits that are not there any more
     */
    static List<Difference> of(
            TypeIndex index,
            View view,
            List<Manifest> commits,
            Snapshots snapshots,
            Predicate<String> gone,
            Content content) {
        TypeRef type = index.type();
        long head = view.head().commitId();
        long purged = view.registry().purgedUpTo(type);
        List<Difference> differences = new ArrayList<>();
        List<Snapshots.CommitFile> files = Snapshots.filesOf(type, commits).stream()
                .filter(file -> file.commitId() > purged)
                .toList();
        Map<Long, String> written = new HashMap<>();
        files.forEach(file -> written.put(file.commitId(), file.path()));
        Set<Long> known = new HashSet<>();
        commits.forEach(commit -> known.add(commit.commitId()));
        if (index.upTo() > head) {
            differences.add(new Difference(Problem.BEYOND_HEAD, index.upTo(), ""));
        }
        long before = 0;
        for (TypeIndex.Entry entry : index.entries()) {
            if (entry.minCommitId() <= before) {
                differences.add(new Difference(Problem.OVERLAP, entry.minCommitId(), entry.path()));
            }
            before = Math.max(before, entry.maxCommitId());
            if (entry.maxCommitId() > head) {
                differences.add(new Difference(Problem.BEYOND_HEAD, entry.maxCommitId(), entry.path()));
            } else if (entry.minCommitId() > purged && known.contains(entry.minCommitId())) {
                boolean replaced = entry.isOfOneCommit()
                        && gone.test(entry.path())
                        && snapshots.hold(entry.minCommitId(), files, head);
                if (replaced || differs(entry, written, files, snapshots, content, head)) {
                    differences.add(new Difference(Problem.WRONG_FILE, entry.minCommitId(), entry.path()));
                }
            }
        }
        for (Snapshots.CommitFile file : files) {
            if (file.commitId() <= index.upTo() && !index.covers(file.commitId())) {
                differences.add(new Difference(Problem.MISSES_COMMIT, file.commitId(), file.path()));
            }
        }
        return differences;
    }

    private static boolean differs(
            TypeIndex.Entry entry,
            Map<Long, String> written,
            List<Snapshots.CommitFile> files,
            Snapshots snapshots,
            Content content,
            long head) {
        return entry.isOfOneCommit()
                ? !entry.path().equals(written.get(entry.minCommitId()))
                : isOfOtherFiles(entry, files, snapshots, content, head);
    }

    private static boolean isOfOtherFiles(
            TypeIndex.Entry entry, List<Snapshots.CommitFile> files, Snapshots snapshots, Content content, long head) {
        if (entry.path().startsWith(Keys.SNAPSHOTS) && !snapshots.isThere(entry.path())) {
            return true;
        }
        return snapshots
                .agreesUpTo(entry, files, head)
                .map(agreed -> agreed < entry.maxCommitId())
                .orElseGet(() -> content.differs(
                        entry,
                        files.stream()
                                .filter(file -> entry.covers(file.commitId()))
                                .toList()));
    }
}
