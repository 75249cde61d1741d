package io.ontologia.store.object.internal;

import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.DigestChain;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.OutboxMark;
import io.ontologia.store.object.internal.layout.RestoreMarker;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a whole store and says what is not as it must be. */
final class Check {
    private final SharedStore shared;
    private final Locks locks;
    private final Findings findings = new Findings();
    private boolean isBroken;

    /** The objects that commits wrote; listed after the view was read, so those of its commits are among them. */
    private Set<String> present = Set.of();

    Check(SharedStore shared, Locks locks) {
        this.shared = shared;
        this.locks = locks;
    }

    List<Finding> run(Progress progress) {
        View view = shared.views().fresh();
        present = Listing.keys(shared.store(), Keys.COMMITS);
        List<Manifest> commits = commits(view);
        checkFiles(view, commits, progress);
        asFarAsPossible(() -> checkIndices(view, commits));
        checkSchemas(view);
        checkRestore(view);
        asFarAsPossible(this::checkOrphans);
        asFarAsPossible(() -> checkDigests(progress));
        checkEvents(view, commits);
        checkLock();
        return findings.list();
    }

    /** What needs all commits cannot be told when some are gone; that they are was found before. */
    private void asFarAsPossible(Runnable check) {
        try {
            check.run();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT || !isBroken) {
                throw e;
            }
        }
    }

    /** Follows the commits from the head to the first one, as far as that goes. */
    private List<Manifest> commits(View view) {
        List<Manifest> commits = new ArrayList<>();
        long expected = view.head().commitId();
        try {
            for (Manifest manifest : shared.chain().back(view.head())) {
                if (manifest.commitId() != expected) {
                    findings.add(
                            "commit-gap",
                            Severity.ERROR,
                            "commits are missing between one and the one before it",
                            manifest.path());
                }
                commits.add(manifest);
                expected = manifest.commitId() - 1;
            }
            if (expected > 0) {
                findings.add(
                        "commit-gap",
                        Severity.ERROR,
                        "commits are missing between one and the one before it",
                        "before commit " + (expected + 1));
            }
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            isBroken = true;
            findings.add(
                    "broken-chain",
                    Severity.ERROR,
                    "the commits cannot be followed to the first one: restore the manifest from a backup",
                    e.getMessage());
        }
        return commits;
    }

    private void checkFiles(View view, List<Manifest> commits, Progress progress) {
        FileCheck files = new FileCheck(shared, view, findings);
        Map<TypeRef, Covered> covered = new HashMap<>();
        long done = 0;
        for (Manifest manifest : commits) {
            for (Manifest.File file : manifest.files()) {
                boolean purged = manifest.commitId() <= view.registry().purgedUpTo(file.type());
                boolean gone = !present.contains(file.path())
                        && covered.computeIfAbsent(file.type(), type -> covered(type, view, commits))
                                .has(manifest.commitId());
                boolean replaced = shared.erasures().isReplaced(file.type(), manifest.commitId(), view.registry());
                if (!purged && !gone && !replaced) {
                    files.checkCommit(manifest, file);
                }
            }
            progress.report("commits", ++done, commits.size());
        }
        for (TypeRef type : view.registry().types().keySet()) {
            Set<TypeIndex.Entry> snapshots = new LinkedHashSet<>(filesOf(type, view));
            // What is stored too: an index of earlier versions may name snapshots that are not used any more.
            snapshots.addAll(shared.resolver().readIndex(type).entries());
            snapshots.removeIf(entry -> !shared.erasures().isRead(type, entry, view.registry()));
            if (snapshots.stream().anyMatch(entry -> !entry.isOfOneCommit())) {
                checkDescriptors(type);
            }
            snapshots.stream()
                    .filter(entry -> !entry.isOfOneCommit()
                            && entry.maxCommitId() <= view.head().commitId())
                    .forEach(entry -> files.checkSnapshot(type, entry, commits));
        }
    }

    private void checkDescriptors(TypeRef type) {
        shared.snapshots(type)
                .damaged()
                .forEach(key -> findings.add(
                        "damaged-descriptor",
                        Severity.WARNING,
                        "the descriptor of a snapshot is not the one that was written, so the origin of the snapshot is not "
                                + "known: restore it from a backup, or delete it",
                        key));
    }

    private List<TypeIndex.Entry> filesOf(TypeRef type, View view) {
        try {
            return shared.resolver().files(type, view, 0, view.head().commitId());
        } catch (OntologiaException e) {
            return List.of();
        }
    }

    /** Which commits' rows of one type are in a snapshot too. */
    private interface Covered {
        boolean has(long commitId);
    }

    /** By what the index says, and by the snapshots that are there: an index may name a file that a snapshot replaced. */
    private Covered covered(TypeRef type, View view, List<Manifest> commits) {
        List<TypeIndex.Entry> merged = filesOf(type, view).stream()
                .filter(entry -> !entry.isOfOneCommit())
                .toList();
        Snapshots snapshots = shared.snapshots(type);
        List<Snapshots.CommitFile> history = Snapshots.filesOf(type, commits);
        return commit -> merged.stream().anyMatch(entry -> entry.covers(commit))
                || snapshots.hold(commit, history, view.head().commitId());
    }

    private void checkIndices(View view, List<Manifest> commits) {
        IndexHealth health = new IndexHealth(shared);
        view.registry().types().keySet().stream()
                .sorted(Changes.BY_KIND_AND_NAME)
                .forEach(type -> checkIndex(type, health, view, commits));
    }

    private void checkIndex(TypeRef type, IndexHealth health, View view, List<Manifest> commits) {
        Optional<TypeIndex> index = health.read(type);
        if (index.isEmpty() && shared.store().get(Keys.index(type)).isPresent()) {
            findings.add(
                    "damaged-index",
                    Severity.WARNING,
                    "an index is damaged and readers follow the commits instead: run 'onto index repair --apply'",
                    Keys.index(type));
            return;
        }
        if (IndexHealth.wroteAfter(commits, type, index.map(TypeIndex::upTo).orElse(0L))) {
            findings.add(
                    "index-lag",
                    Severity.INFO,
                    "indices do not reach the newest commit; readers take longer until the next commit, or until "
                            + "'onto index repair --apply'",
                    Keys.index(type));
        }
        index.ifPresent(found -> health.differences(found, view, commits, path -> !present.contains(path))
                .forEach(difference -> add(type, difference, view.head().commitId())));
    }

    private void add(TypeRef type, IndexComparison.Difference difference, long head) {
        String remedy = ": run 'onto index repair --apply'";
        String example = Keys.index(type) + " commit " + difference.commitId();
        boolean newest = difference.commitId() == head;
        switch (difference.problem()) {
            case BEYOND_HEAD ->
                findings.add(
                        "index-beyond-head",
                        Severity.WARNING,
                        "an index names commits after the newest one, of another state of the store; readers leave them "
                                + "out" + remedy,
                        example);
            case OVERLAP ->
                findings.add(
                        "index-overlap",
                        Severity.ERROR,
                        "files of an index overlap, and rows in both count twice" + remedy,
                        difference.path());
            case MISSES_COMMIT ->
                findings.add(
                        newest ? "index-missing-latest-entry" : "index-misses-commit",
                        newest ? Severity.WARNING : Severity.ERROR,
                        "an index leaves out a commit that it claims to have" + remedy,
                        example);
            case WRONG_FILE ->
                findings.add(
                        newest ? "index-path-mismatch" : "index-wrong-file",
                        newest ? Severity.WARNING : Severity.ERROR,
                        "an index names another file than the commit does, or one that is gone, or a snapshot of other files"
                                + remedy,
                        example);
        }
    }

    private void checkSchemas(View view) {
        for (TypeRef type : view.registry().types().keySet()) {
            long expected = 0;
            for (SchemaVersion version : shared.catalog().versions(type, view.registry())) {
                if (version.version() != ++expected) {
                    findings.add(
                            "schema-version-gap",
                            Severity.WARNING,
                            "schema versions of a type do not follow each other: some were deleted",
                            type + " version " + version.version());
                    expected = version.version();
                }
            }
        }
        shared.catalog()
                .names()
                .problem(view.registry())
                .ifPresent(problem -> findings.add(
                        "types-catalog",
                        Severity.INFO,
                        "the names of the types, which other implementations read, are not those of the registry:"
                                + " 'onto index repair --apply' and the next process that writes correct them",
                        Keys.TYPES + ": " + problem));
    }

    private void checkRestore(View view) {
        shared.store()
                .get(Keys.RESTORE)
                .filter(object -> view.head().commitId() == 0)
                .ifPresent(object -> findings.add(
                        "copy-unfinished",
                        Severity.WARNING,
                        "a copy to this place has not come to its end: run 'onto copy' again, or 'onto init --force' to "
                                + "give it up",
                        RestoreMarker.parse(object.bytes()).source()));
    }

    private void checkDigests(Progress progress) {
        // What cannot be read was named before, by the file that it is in.
        boolean explained = findings.list().stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
        try (StoreHistory history = new PastCommits(shared)) {
            new DigestChain(history)
                    .check(progress).stream()
                            .filter(finding -> !explained || !finding.code().equals(DigestChain.UNREADABLE))
                            .forEach(findings::add);
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT && e.kind() != ErrorKind.NOT_FOUND) {
                throw e;
            }
            if (!explained) {
                findings.add(
                        DigestChain.UNREADABLE,
                        Severity.ERROR,
                        "the rows of commits cannot be read: restore them from a backup",
                        e.getMessage());
            }
        }
    }

    private void checkOrphans() {
        new GarbageCollector(shared, Duration.ZERO)
                .find(Duration.ZERO)
                .keys()
                .forEach(key -> findings.add(
                        "orphan",
                        Severity.INFO,
                        "objects that nothing refers to, left by attempts that did not finish: 'onto gc' removes them",
                        key));
    }

    private void checkEvents(View view, List<Manifest> commits) {
        long delivered = delivered(view, commits);
        shared.events()
                .check(findings::add)
                .run(commits.stream()
                        .filter(commit -> commit.commitId() <= delivered)
                        .toList());
    }

    /** Up to which commit the events of commits have been enqueued; 0 when that is unknown. */
    private long delivered(View view, List<Manifest> commits) {
        try {
            Optional<OutboxMark> mark =
                    shared.store().get(OutboxMark.KEY).map(object -> OutboxMark.parse(object.bytes()));
            if (mark.isEmpty()
                    && commits.stream().anyMatch(commit -> !commit.events().isEmpty())) {
                findings.add(
                        "missing-outbox",
                        Severity.WARNING,
                        "the mark of the newest commit whose events were enqueued is gone, so events of the newest commits may "
                                + "not be enqueued: restore it from a backup",
                        OutboxMark.KEY);
            }
            if (mark.isPresent() && mark.get().commitId() > view.head().commitId()) {
                findings.add(
                        "outbox-beyond-head",
                        Severity.INFO,
                        "the mark of the newest commit whose events were enqueued names a commit after the newest one, of another "
                                + "state of the store: the next worker, or the next commit with events, moves it back",
                        OutboxMark.KEY);
            }
            return mark.map(OutboxMark::commitId).orElse(0L);
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            findings.add(
                    "unreadable-outbox",
                    Severity.ERROR,
                    "the mark of the newest commit whose events were enqueued cannot be read: restore it from a backup",
                    OutboxMark.KEY);
            return 0;
        }
    }

    private void checkLock() {
        Optional<LockDamage> damage = locks.damage();
        if (damage.isPresent()) {
            findings.add(
                    "damaged-lock",
                    Severity.ERROR,
                    "the write lock cannot be read, so no writer can commit: 'onto lock show' prints the token with which "
                            + "'onto lock break' replaces it",
                    damage.get().location());
            return;
        }
        locks.holder()
                .filter(holder -> holder.hasExpired(shared.clock().now()))
                .map(LockHolder::ownerId)
                .ifPresent(owner -> findings.add(
                        "expired-lock",
                        Severity.INFO,
                        "the lease of the write lock's holder has expired; the next writer takes the lock",
                        owner));
    }

    /** Findings, counted by code, the worst first. */
    static final class Findings {
        private final List<Finding> all = new ArrayList<>();

        void add(String code, Severity severity, String message, String example) {
            for (int i = 0; i < all.size(); i++) {
                Finding known = all.get(i);
                if (known.code().equals(code)) {
                    all.set(i, new Finding(code, severity, message, known.count() + 1, known.example()));
                    return;
                }
            }
            all.add(new Finding(code, severity, message, 1, example));
        }

        void add(Finding finding) {
            all.add(finding);
        }

        List<Finding> list() {
            return all.stream()
                    .sorted(Comparator.comparing(Finding::severity).thenComparing(Finding::code))
                    .toList();
        }
    }
}
