package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.engine.LatestTables;
import io.ontologia.store.object.internal.engine.StaleLatestException;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the local tables of latest versions forward, commit by commit. They are derived: where one does not fit the history
 * that a view has, it is made anew.
 */
final class Latest {
    private static final Logger LOG = LoggerFactory.getLogger(Latest.class);

    /** From how many commits on it is cheaper to start anew than to follow each. */
    private static final int LONG_GAP = 256;

    /** So many rows of several commits are applied together. */
    private static final int SMALL_STEP = 2_048;

    /** What somebody wants a table for. */
    enum Use {
        /** One question, maybe the only one. */
        QUERY,
        /** A commit, which must know the state it changes. */
        COMMIT
    }

    private final LatestTables tables;
    private final Chain chain;
    private final FileResolver resolver;
    private final LocalCopies copies;
    private final Map<TypeRef, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final Map<TypeRef, Standing> standing = new ConcurrentHashMap<>();

    /** Where a table stands, and which of the generations of tables it belongs to. */
    private record Standing(View view, int generation) {}

    Latest(LatestTables tables, Chain chain, FileResolver resolver, LocalCopies copies) {
        this.tables = tables;
        this.chain = chain;
        this.resolver = resolver;
        this.copies = copies;
    }

    LatestTables tables() {
        return tables;
    }

    /** Whether the table of a type stands at a view. */
    boolean stands(TypeRef type, View view) {
        return new Standing(view, tables.generation()).equals(standing.get(type));
    }

    /**
     * Fetches what several types need to be brought to a view: all that must be known about their files together, then all
     * files together.
     */
    void warm(Collection<TypeRef> types, View view) {
        List<TypeRef> behind = types.stream()
                .filter(type -> !stands(type, view))
                .filter(type -> tables.applied(type)
                        .filter(at -> at.commitId() >= view.head().commitId())
                        .isEmpty())
                .toList();
        if (behind.isEmpty() || view.head().commitId() == 0) {
            return;
        }
        resolver.prepare(behind, view);
        List<TypeIndex.Entry> files = new ArrayList<>();
        for (TypeRef type : behind) {
            long after =
                    tables.applied(type).map(LatestTables.Applied::commitId).orElse(0L);
            files.addAll(resolver.files(type, view, after, view.head().commitId()));
        }
        try {
            copies.open(files).close();
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            // A snapshot took their place since these were looked up. Who needs them will look again.
            behind.forEach(resolver::forget);
        }
    }

    /**
     * Brings the table of a type to a view.
     *
     * @return false when the files should answer: the table stands at a later commit already, and another thread may be using
     *     it there; or it would have to be made anew, for the first who asks
     */
    boolean bringTo(TypeRef type, View view, Use use) {
        int generation = tables.generation();
        if (stands(type, view)) {
            // Whoever reads checks it once more, in the transaction that reads.
            return true;
        }
        ReentrantLock lock = locks.computeIfAbsent(type, unused -> new ReentrantLock());
        lock.lock();
        try {
            String fingerprint =
                    fingerprint(type, view, view.head().manifestPath().orElse(""));
            Optional<LatestTables.Applied> applied = tables.applied(type);
            long upTo = view.head().commitId();
            if (applied.isPresent()
                    && applied.get().commitId() == upTo
                    && applied.get().fingerprint().equals(fingerprint)) {
                return true;
            }
            if (applied.isPresent() && applied.get().commitId() > upTo && isOfThisStore(applied.get())) {
                return false;
            }
            if (applied.isPresent() && !isOfSameErasure(type, view, applied.get())) {
                tables.discardOnClose();
            }
            Optional<List<TypeIndex.Entry>> since =
                    applied.filter(at -> at.commitId() <= upTo).flatMap(at -> since(type, view, at));
            if (since.isEmpty()
                    || !advanced(type, since.get(), upTo, applied.orElseThrow().fingerprint(), fingerprint)) {
                try (LocalCopies.Opened opened = copies.open(resolver, type, view, 0, upTo)) {
                    // To make a table takes longer than one answer from the files, so it is made for who asks twice.
                    if (use == Use.QUERY && !tables.ask(type)) {
                        return false;
                    }
                    tables.rebuild(type, opened.files(), upTo, fingerprint);
                }
            }
            standing.put(type, new Standing(view, generation));
            return true;
        } catch (StaleLatestException e) {
            // Another open store of this process uses the table too.
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a table was made after the last erasure from its type. */
    private static boolean isOfSameErasure(TypeRef type, View view, LatestTables.Applied applied) {
        String suffix = fingerprint(type, view, "");
        return applied.fingerprint().endsWith(suffix);
    }

    /** Moves a table forward; false when the files of the commits are gone, because a snapshot has their rows. */
    private boolean advanced(TypeRef type, List<TypeIndex.Entry> files, long upTo, String before, String fingerprint) {
        try (LocalCopies.Opened opened = copies.open(files)) {
            tables.advance(type, opened.files(), upTo, before, fingerprint);
            return true;
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            resolver.forget(type);
            return false;
        }
    }

    /** Whether a table that is ahead of a view was made from commits that are still there: a store may begin anew. */
    private boolean isOfThisStore(LatestTables.Applied applied) {
        String path = applied.fingerprint().substring(0, applied.fingerprint().lastIndexOf('#'));
        try {
            return !path.isEmpty() && chain.manifest(path).commitId() == applied.commitId();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            return false;
        }
    }

    /** The files after what was applied; empty when that is no commit of this view's history. */
    private Optional<List<TypeIndex.Entry>> since(TypeRef type, View view, LatestTables.Applied applied) {
        if (view.head().commitId() - applied.commitId() > LONG_GAP) {
            return Optional.empty();
        }
        List<TypeIndex.Entry> files = new ArrayList<>();
        String path = "";
        for (Manifest manifest : chain.back(view.head())) {
            if (manifest.commitId() <= applied.commitId()) {
                path = manifest.path();
                break;
            }
            if (manifest.commitId() > view.registry().purgedUpTo(type)) {
                manifest.file(type).ifPresent(file -> files.add(0, FileResolver.entry(manifest, file)));
            }
        }
        return fingerprint(type, view, path).equals(applied.fingerprint()) ? Optional.of(files) : Optional.empty();
    }

    /**
     * Takes over what this process just committed, all of it between two views. What goes wrong only costs time later.
     */
    void apply(TypeRef type, View before, View after, List<LatestTables.Written> commits) {
        int generation = tables.generation();
        ReentrantLock lock = locks.computeIfAbsent(type, unused -> new ReentrantLock());
        lock.lock();
        try {
            String expected =
                    fingerprint(type, before, before.head().manifestPath().orElse(""));
            if (tables.applied(type)
                    .filter(at -> at.fingerprint().equals(expected))
                    .isEmpty()) {
                return;
            }
            String reached =
                    fingerprint(type, after, after.head().manifestPath().orElse(""));
            String from = expected;
            for (List<LatestTables.Written> step : steps(commits)) {
                tables.advance(step, from, reached);
                from = reached;
            }
            if (commits.get(commits.size() - 1).commitId() < after.head().commitId()) {
                tables.advance(type, List.of(), after.head().commitId(), from, reached);
            }
            standing.put(type, new Standing(after, generation));
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("type", type)
                    .log("latest versions not moved forward, they will be made anew");
            standing.remove(type);
            forget(type);
        } finally {
            lock.unlock();
        }
    }

    /** Drops a table that may be wrong. When even that fails, its fingerprint tells everybody that it does not fit. */
    private void forget(TypeRef type) {
        try {
            tables.drop(type);
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("type", type).log("latest versions not dropped");
        }
    }

    /** Small commits go together: what a step costs hardly depends on how many rows it has, up to some. */
    private static List<List<LatestTables.Written>> steps(List<LatestTables.Written> commits) {
        List<List<LatestTables.Written>> steps = new ArrayList<>();
        int rows = SMALL_STEP;
        for (LatestTables.Written commit : commits) {
            if (rows + commit.rows().size() > SMALL_STEP) {
                steps.add(new ArrayList<>());
                rows = 0;
            }
            steps.get(steps.size() - 1).add(commit);
            rows += commit.rows().size();
        }
        return steps;
    }

    /**
     * Which history a table was made from: the attempt at its last commit, and what was purged or erased before it. Tables of
     * versions that do not know retractions have the ends of rows in them; they do not fit.
     */
    private static String fingerprint(TypeRef type, View view, String manifestPath) {
        String erased = view.registry().erased().getOrDefault(type, "");
        return manifestPath + "#" + view.registry().purgedUpTo(type) + (erased.isEmpty() ? "" : "," + erased)
                + (view.registry().hasRetractions() ? "+ends" : "");
    }
}
