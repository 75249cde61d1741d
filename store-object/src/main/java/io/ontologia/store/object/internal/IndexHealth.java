package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Upkeep.IndexState;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Compares the indices with the commits. */
final class IndexHealth {
    private final SharedStore shared;

    IndexHealth(SharedStore shared) {
        this.shared = shared;
    }

    /**
     * The state of every index compared with all commits, by kind and name of its type. Reads all manifests, and the rows of
     * snapshots whose descriptors do not tell what they were made of.
     */
    List<IndexState> verify() {
        Set<String> present = Listing.keys(shared.store(), Keys.COMMITS);
        return compare(head -> shared.chain().since(head, 0), path -> !present.contains(path));
    }

    /** The state of every index compared with the newest commit alone. */
    List<IndexState> glance() {
        return compare(
                head -> head.manifestPath().map(shared.chain()::manifest).stream()
                        .toList(),
                path -> false);
    }

    private List<IndexState> compare(Function<Head, List<Manifest>> chain, Predicate<String> gone) {
        View view = shared.views().fresh();
        List<TypeRef> types = view.registry().types().keySet().stream()
                .sorted(Changes.BY_KIND_AND_NAME)
                .toList();
        Map<TypeRef, Optional<TypeIndex>> indices = new LinkedHashMap<>();
        types.forEach(type -> indices.put(type, read(type)));
        // Indices follow the head: read after them, it is not before any of them.
        View now = shared.views().fresh();
        List<Manifest> commits = chain.apply(now.head());
        return types.stream()
                .map(type -> state(type, indices.getOrDefault(type, Optional.empty()), now, commits, gone))
                .toList();
    }

    private IndexState state(
            TypeRef type, Optional<TypeIndex> index, View view, List<Manifest> commits, Predicate<String> gone) {
        long head = view.head().commitId();
        if (index.isEmpty()) {
            return new IndexState(
                    type, 0, head, 0, wroteAfter(commits, type, 0) ? IndexStatus.MISSING : IndexStatus.OK);
        }
        return new IndexState(
                type,
                index.get().upTo(),
                head,
                index.get().entries().size(),
                status(differences(index.get(), view, commits, gone), index.get(), head, commits));
    }

    /** Whether rows of a type were written after a commit: an index that ends there lacks nothing otherwise. */
    static boolean wroteAfter(List<Manifest> commits, TypeRef type, long commitId) {
        return commits.stream()
                .anyMatch(commit ->
                        commit.commitId() > commitId && commit.file(type).isPresent());
    }

    /**
     * What an index has otherwise than the commits.
     *
     * @param gone the files of commits that are not there any more
     */
    List<IndexComparison.Difference> differences(
            TypeIndex index, View view, List<Manifest> commits, Predicate<String> gone) {
        boolean needsSnapshots = commits.size() > 1
                && index.entries().stream().anyMatch(entry -> !entry.isOfOneCommit() || gone.test(entry.path()));
        Snapshots snapshots = needsSnapshots ? shared.snapshots(index.type()) : Snapshots.none();
        return IndexComparison.of(
                index,
                view,
                commits,
                snapshots,
                gone,
                (snapshot, own) -> needsSnapshots && hasOtherRows(index.type(), snapshot, own));
    }

    private boolean hasOtherRows(TypeRef type, TypeIndex.Entry snapshot, List<Snapshots.CommitFile> own) {
        try {
            return !new SnapshotContent(shared, type)
                    .differences(
                            snapshot,
                            own.stream()
                                    .map(file -> new TypeIndex.Entry(
                                            file.commitId(), file.commitId(), file.path(), Optional.empty()))
                                    .toList())
                    .isEmpty();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT && !LocalCopies.isGone(e)) {
                throw e;
            }
            return true;
        }
    }

    private static IndexStatus status(
            List<IndexComparison.Difference> differences, TypeIndex index, long head, List<Manifest> commits) {
        if (differences.isEmpty()) {
            return wroteAfter(commits, index.type(), index.upTo()) ? IndexStatus.LAG : IndexStatus.OK;
        }
        IndexComparison.Difference first = differences.get(0);
        return switch (first.problem()) {
            case BEYOND_HEAD -> IndexStatus.BEYOND_HEAD;
            case OVERLAP, WRONG_FILE -> IndexStatus.PATH_MISMATCH;
            case MISSES_COMMIT ->
                first.commitId() == head ? IndexStatus.MISSING_LATEST_ENTRY : IndexStatus.MISSING_ENTRY;
        };
    }

    /** The index of a type as it is stored; empty when there is none that can be read. */
    Optional<TypeIndex> read(TypeRef type) {
        try {
            return shared.store().get(Keys.index(type)).map(object -> TypeIndex.parse(type, object.bytes()));
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.CORRUPT) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
