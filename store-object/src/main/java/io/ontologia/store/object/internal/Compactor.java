package io.ontologia.store.object.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.core.spi.Upkeep.Rewrite;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.engine.Checksum;
import io.ontologia.store.object.internal.engine.DataFile;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.SnapshotDescriptor;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Replaces runs of small files by snapshots with the same rows. */
final class Compactor {
    private final SharedStore shared;
    private final Duration lockTimeout;

    record Run(TypeRef type, List<TypeIndex.Entry> entries) {
        TypeIndex.Entry first() {
            return entries.get(0);
        }

        TypeIndex.Entry last() {
            return entries.get(entries.size() - 1);
        }
    }

    Compactor(SharedStore shared, Duration lockTimeout) {
        this.shared = shared;
        this.lockTimeout = lockTimeout;
    }

    List<Rewrite> plan(Optional<TypeRef> only) {
        return runs(shared.views().fresh(), only, Tiers.Effort.THOROUGH).stream()
                .map(run -> rewrite(run, Optional.empty()))
                .toList();
    }

    private static Rewrite rewrite(Run run, Optional<String> path) {
        return new Rewrite(
                run.type(),
                run.first().minCommitId(),
                run.last().maxCommitId(),
                run.entries().size(),
                path);
    }

    /** The runs that are worth merging at a view. */
    List<Run> runs(View view, Optional<TypeRef> only, Tiers.Effort effort) {
        List<Run> runs = new ArrayList<>();
        view.registry().types().keySet().stream()
                .filter(type -> only.isEmpty() || only.get().equals(type))
                .sorted(Changes.BY_KIND_AND_NAME)
                .forEach(type ->
                        Tiers.runs(mergeable(type, view), effort).forEach(entries -> runs.add(new Run(type, entries))));
        return runs;
    }

    /** The files of a type without the one that an erasure made: it stays until the next erasure. */
    private List<TypeIndex.Entry> mergeable(TypeRef type, View view) {
        long fixed = shared.erasures()
                .base(type, view.registry())
                .map(TypeIndex.Entry::maxCommitId)
                .orElse(0L);
        return shared.resolver().files(type, view, 0, view.head().commitId()).stream()
                .filter(entry -> entry.minCommitId() > fixed)
                .toList();
    }

    /**
     * Writes every row of a type to one file, except for all versions of some rows.
     *
     * @param versions how many versions of them there are
     */
    TypeIndex.Entry writeWithout(TypeRef type, Set<Identity> erased, long versions, View view) {
        List<TypeIndex.Entry> entries =
                shared.resolver().files(type, view, 0, view.head().commitId());
        long first = view.registry().purgedUpTo(type) + 1;
        long last = view.head().commitId();
        List<String> commitFiles = Snapshots.filesOf(type, shared.chain().since(view.head(), first - 1)).stream()
                .map(Snapshots.CommitFile::path)
                .toList();
        Path file = shared.temporaryFile(".parquet");
        try (LocalCopies.Opened sources = shared.copies().open(entries)) {
            shared.engine().merge(type, sources.files(), erased, file);
            Checksum before = shared.engine().checksum(type, sources.files());
            Checksum after = shared.engine().checksum(type, List.of(new DataFile(file, first, last)));
            if (before.rows() - versions != after.rows()) {
                throw new OntologiaException(
                        ErrorKind.CORRUPT,
                        "cannot erase rows of " + type,
                        "the new file has " + after.rows() + " rows instead of " + (before.rows() - versions),
                        "run 'onto fsck'; no row was erased");
            }
            return store(
                    new Run(type, List.of(new TypeIndex.Entry(first, last, "", Optional.empty()))),
                    commitFiles,
                    file,
                    after);
        } finally {
            shared.discard(file);
        }
    }

    List<Rewrite> apply(Optional<TypeRef> only, String runtimeId, Progress progress) {
        return shared.writer().alone(runtimeId, lockTimeout, guard -> {
            View view = shared.views().fresh();
            // Others may have replaced files since these were looked up.
            view.registry().types().keySet().forEach(shared.resolver()::forget);
            List<Run> runs = runs(view, only, Tiers.Effort.THOROUGH);
            List<Rewrite> rewrites = new ArrayList<>();
            for (Run run : runs) {
                Snapshot snapshot = write(run, view.head());
                guard.ensureSafe();
                if (!shared.views().current().head().isSameCommit(view.head())) {
                    throw new OntologiaException(
                            ErrorKind.CONFLICT,
                            "cannot compact",
                            "a writer without the write lock made a commit meanwhile",
                            "run it again; what was merged before stays");
                }
                publish(run, snapshot, view);
                rewrites.add(rewrite(run, Optional.of(snapshot.entry().path())));
                progress.report(run.type().toString(), rewrites.size(), runs.size());
            }
            return List.copyOf(rewrites);
        });
    }

    /**
     * Lets a snapshot take the place of its sources. Needs the writer's lock only to keep out of the way: the index is
     * swapped by condition, and refuses when others replaced files in the range.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the snapshot is so old that a clean-up may take it for
     *     garbage; nothing was changed
     */
    void publish(Run run, Snapshot snapshot, View view) {
        shared.indices().rewrite(run.type(), view, index -> {
            // Here the index was read already. A clean-up that comes later swaps it before it removes the snapshot.
            if (!isRecent(snapshot)) {
                throw new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot compact " + run.type(),
                        "the merged file waited for too long, and may be removed by a clean-up",
                        "run it again; nothing was changed");
            }
            return index.compacted(snapshot.entry());
        });
        shared.resolver().forget(run.type());
    }

    /** Whether a snapshot is certainly younger than what a clean-up removes, on both clocks of this machine. */
    boolean isRecent(Snapshot snapshot) {
        Duration limit = Upkeep.SHORTEST_GRACE.dividedBy(2);
        return Duration.between(snapshot.since(), shared.clock().now()).compareTo(limit) < 0
                && shared.clock().monotonicNanos() - snapshot.sinceNanos() < limit.toNanos();
    }

    /**
     * A snapshot that no index names yet.
     *
     * @param since when this machine's clock stood at this moment it was not stored yet
     */
    record Snapshot(TypeIndex.Entry entry, Instant since, long sinceNanos) {}

    /** Makes a file of its own of a part of another. */
    TypeIndex.Entry cut(TypeRef type, TypeIndex.Entry part, Head head) {
        return write(new Run(type, List.of(part)), head).entry();
    }

    /**
     * The files of commits in the range of a run, as the chain of a head names them.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when the run is of other files
     */
    private List<String> commitFiles(Run run, Head head) {
        long first = run.first().minCommitId();
        long last = run.last().maxCommitId();
        List<Snapshots.CommitFile> files = Snapshots.filesOf(
                        run.type(), shared.chain().since(head, first - 1))
                .stream()
                .filter(file -> file.commitId() <= last)
                .toList();
        Set<Snapshots.CommitFile> named = new HashSet<>(files);
        boolean agrees = files.stream()
                        .allMatch(file -> run.entries().stream().anyMatch(entry -> entry.covers(file.commitId())))
                && run.entries().stream()
                        .filter(TypeIndex.Entry::isOfOneCommit)
                        .filter(entry -> entry.extent() == TypeIndex.Extent.WHOLE)
                        .allMatch(entry -> named.contains(new Snapshots.CommitFile(entry.minCommitId(), entry.path()))
                                || entry.path().startsWith(Keys.SNAPSHOTS));
        if (!agrees) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot compact " + run.type(),
                    "the files from commit " + first + " to " + last + " are not those that the commits name",
                    "run 'onto index repair --apply', then 'onto fsck'; nothing was changed");
        }
        return files.stream().map(Snapshots.CommitFile::path).toList();
    }

    /** Writes and proves one snapshot; it is not used before an index names it. */
    Snapshot write(Run run, Head head) {
        List<String> commitFiles = commitFiles(run, head);
        Path file = shared.temporaryFile(".parquet");
        try (LocalCopies.Opened sources = shared.copies().open(run.entries())) {
            shared.engine().merge(run.type(), sources.files(), file);
            DataFile merged =
                    new DataFile(file, run.first().minCommitId(), run.last().maxCommitId());
            Checksum before = shared.engine().checksum(run.type(), sources.files());
            Checksum after = shared.engine().checksum(run.type(), List.of(merged));
            if (!before.equals(after)) {
                throw new OntologiaException(
                        ErrorKind.CORRUPT,
                        "cannot compact " + run.type(),
                        "the merged file does not hold the rows of its "
                                + run.entries().size() + " sources",
                        "run 'onto fsck'; nothing was changed");
            }
            Instant since = shared.clock().now();
            long sinceNanos = shared.clock().monotonicNanos();
            return new Snapshot(store(run, commitFiles, file, after), since, sinceNanos);
        } finally {
            shared.discard(file);
        }
    }

    private TypeIndex.Entry store(Run run, List<String> commitFiles, Path file, Checksum rows) {
        String plain =
                Keys.snapshot(run.type(), run.first().minCommitId(), run.last().maxCommitId());
        String path = plain;
        if (!(shared.store().putIfAbsent(path, Payload.of(file)) instanceof PutOutcome.Written)) {
            // Left by an attempt that did not finish, or a lost reply: a name of our own settles it.
            path = plain.substring(0, plain.length() - ".parquet".length()) + "-" + RandomIds.hex(shared.random(), 8)
                    + ".parquet";
            shared.store().put(path, Payload.of(file));
        }
        TypeIndex.Entry entry = new TypeIndex.Entry(
                run.first().minCommitId(), run.last().maxCommitId(), path, Optional.of(Sha256.hex(file)));
        SnapshotDescriptor descriptor = new SnapshotDescriptor(
                run.type(),
                entry,
                run.entries().stream().map(TypeIndex.Entry::path).toList(),
                Optional.of(commitFiles),
                rows.rows(),
                rows.digest(),
                shared.clock().now());
        shared.store().put(SnapshotDescriptor.keyOf(path), Payload.of(descriptor.bytes()));
        return entry;
    }
}
