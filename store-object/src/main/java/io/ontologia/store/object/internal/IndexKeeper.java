package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps the indices up with the commits of this process: those of the types that a commit touched soon after it, many
 * commits at once when they come fast, and again on {@link #flush}. An index that lags costs readers time and nothing
 * else, so whatever goes wrong here is logged and left to the next one.
 */
final class IndexKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(IndexKeeper.class);
    private static final int TRIES = 4;
    private static final int CHECKPOINT_EVERY = 100;

    private final ObjectStore store;
    private final FileResolver resolver;
    private final Views views;
    private final Cutter cutter;
    private final Executor background;
    private final RandomGenerator random;
    private final Map<TypeRef, Stored> known = new ConcurrentHashMap<>();
    private final Set<TypeRef> touched = new LinkedHashSet<>();
    private boolean running;
    private final Set<TypeRef> written = new LinkedHashSet<>();
    private long firstCommit;

    /**
     * What is known of a stored index.
     *
     * @param isReadable whether the index is what is stored; a damaged object has a version too
     */
    private record Stored(TypeIndex index, Optional<ETag> etag, boolean isReadable) {}

    IndexKeeper(
            ObjectStore store,
            FileResolver resolver,
            Views views,
            Cutter cutter,
            Executor background,
            RandomGenerator random) {
        this.cutter = cutter;
        this.store = store;
        this.resolver = resolver;
        this.views = views;
        this.background = background;
        this.random = random;
    }

    /** Notes what a commit of this process touched, and sees to it soon. */
    void changed(Iterable<Manifest> commits) {
        synchronized (touched) {
            for (Manifest commit : commits) {
                firstCommit = written.isEmpty() ? commit.commitId() : Math.min(firstCommit, commit.commitId());
                commit.files().forEach(file -> {
                    touched.add(file.type());
                    written.add(file.type());
                });
            }
            if (running) {
                return;
            }
            running = true;
        }
        try {
            background.execute(this::run);
        } catch (RuntimeException e) {
            synchronized (touched) {
                running = false;
            }
        }
    }

    private void run() {
        while (true) {
            TypeRef type;
            synchronized (touched) {
                if (touched.isEmpty()) {
                    running = false;
                    return;
                }
                type = touched.iterator().next();
                touched.remove(type);
            }
            quietly(type);
        }
    }

    private void quietly(TypeRef type) {
        try {
            views.lastKnown().ifPresent(view -> update(type, view));
        } catch (RuntimeException e) {
            known.remove(type);
            // Other writers that are faster bring it up to date themselves.
            boolean isContended = e instanceof OntologiaException failure && failure.kind() == ErrorKind.BUSY;
            LOG.atLevel(isContended ? Level.DEBUG : Level.WARN)
                    .addKeyValue("index", Keys.index(type))
                    .addKeyValue("reason", e.getMessage())
                    .log("index not brought up to date, the next commit will do it");
        }
    }

    /**
     * Brings the index of each type that this process wrote to its newest commit, and once in {@link #CHECKPOINT_EVERY}
     * commits the index of every type: one that ends before commits without rows of its type lacks nothing, but readers
     * follow the commits from there. Nothing to do when this process made no commit.
     */
    void flush() {
        Set<TypeRef> wanted;
        long before;
        synchronized (touched) {
            if (written.isEmpty()) {
                return;
            }
            wanted = new LinkedHashSet<>(written);
            written.clear();
            before = firstCommit - 1;
        }
        views.lastKnown().filter(view -> view.head().commitId() > 0).ifPresent(view -> {
            if (view.head().commitId() / CHECKPOINT_EVERY > before / CHECKPOINT_EVERY) {
                wanted.addAll(view.registry().types().keySet());
            }
            wanted.retainAll(view.registry().types().keySet());
            wanted.forEach(this::quietly);
        });
    }

    /** Brings one index to a view, unless it is there already. */
    private synchronized void update(TypeRef type, View view) {
        Stored before = known.get(type);
        if (before == null) {
            before = read(type);
            known.put(type, before);
        }
        if (before.index().upTo() > view.head().commitId()) {
            // Others are further than we knew, or the index is of another history.
            before = read(type);
            known.put(type, before);
        }
        if (!before.isReadable() || !before.index().isAnchoredAt(view.head())) {
            rewrite(type, view, index -> index);
        }
    }

    /** Stores an index again, so that every swap of it fails that was prepared on the version before. */
    synchronized void fence(TypeRef type) {
        known.remove(type);
        for (int i = 0; i < TRIES; i++) {
            Optional<StoredObject> stored = store.get(Keys.index(type));
            Optional<TypeIndex> index = stored.flatMap(object -> parse(type, object));
            if (index.isEmpty()) {
                rewrite(type, views.current(), unchanged -> unchanged);
                return;
            }
            if (replace(type, index.get(), stored.map(StoredObject::etag))) {
                return;
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY,
                "cannot fence '" + Keys.index(type) + "'",
                "others kept changing it",
                "try again; nothing was removed");
    }

    /** Replaces an index by what the commits say, whatever it says itself. */
    synchronized void rebuild(TypeRef type) {
        known.remove(type);
        rewrite(type, views.current(), index -> index, resolver::rebuild);
    }

    /** How the index at a head follows from a stored one. */
    private interface Derivation {
        TypeIndex at(TypeRef type, TypeIndex stored, Head head);
    }

    /** Replaces an entry for a part of a file by one for a whole file with the same rows. */
    interface Cutter {
        TypeIndex.Entry cut(TypeRef type, TypeIndex.Entry part, Head head);
    }

    /**
     * Brings one index to a view and changes it. Its document is swapped, never overwritten: who comes second reads and
     * merges.
     *
     * @throws OntologiaException of kind {@link ErrorKind#BUSY} when others kept changing it
     */
    synchronized void rewrite(TypeRef type, View view, UnaryOperator<TypeIndex> change) {
        rewrite(type, view, change, resolver::bringUpToDate);
    }

    private void rewrite(TypeRef type, View view, UnaryOperator<TypeIndex> change, Derivation derivation) {
        View now = view;
        for (int i = 0; i < TRIES; i++) {
            Stored before = known.remove(type);
            if (before == null) {
                before = read(type);
            }
            if (i > 0 || before.index().upTo() > now.head().commitId()) {
                // Read after the index: others may be further than we knew, and an index never goes back then. When it
                // still ends after the head, it is of another history.
                now = views.current();
            }
            TypeIndex derived = withoutPurged(derivation.at(type, before.index(), now.head()), now);
            derived = derived.with(resolver.clean(type, derived.entries(), now));
            TypeIndex current = withoutParts(derived, now.head());
            TypeIndex changed = change.apply(current);
            if (before.isReadable() && changed.equals(before.index())) {
                known.put(type, before);
                return;
            }
            if (replace(type, changed, before.etag())) {
                resolver.trust(type);
                // Also when files were replaced: the copy must not name files that may be removed.
                if (changed.upTo() / CHECKPOINT_EVERY > before.index().upTo() / CHECKPOINT_EVERY
                        || changed.upTo() < before.index().upTo()
                        || !changed.entries().equals(derived.entries())) {
                    checkpoint(changed);
                }
                return;
            }
        }
        throw new OntologiaException(
                ErrorKind.BUSY,
                "cannot update '" + Keys.index(type) + "'",
                "others kept changing it",
                "run 'onto index repair'");
    }

    /** Stores the index of a type that has none. When it has one by now, that one is left to who wrote it. */
    synchronized void install(TypeIndex index) {
        if (replace(index.type(), index, Optional.empty())) {
            checkpoint(index);
        }
    }

    /**
     * Keeps a copy, so that a lost index costs a few requests and not one for every commit ever made. It never goes back: an
     * older one may name files that are gone by now.
     */
    private void checkpoint(TypeIndex index) {
        String key = Keys.checkpoint(index.type());
        Payload payload = Payload.of(index.bytes(RandomIds.hex(random, 16)));
        for (int i = 0; i < TRIES; i++) {
            Optional<StoredObject> before = store.get(key);
            if (before.flatMap(object -> parse(index.type(), object)).stream()
                    .anyMatch(copy -> resolver.isAhead(copy, index))) {
                return;
            }
            PutOutcome outcome = before.isPresent()
                    ? store.putIfMatch(key, payload, before.get().etag())
                    : store.putIfAbsent(key, payload);
            if (outcome instanceof PutOutcome.Written) {
                return;
            }
        }
    }

    private static TypeIndex withoutPurged(TypeIndex index, View view) {
        long gone = view.registry().purgedUpTo(index.type());
        return index.with(index.entries().stream()
                .filter(entry -> entry.minCommitId() > gone)
                .toList());
    }

    /** Other readers take every entry for a whole file, so nothing else is stored. */
    private TypeIndex withoutParts(TypeIndex index, Head head) {
        return index.with(index.entries().stream()
                .map(entry -> entry.extent() == TypeIndex.Extent.PART ? cutter.cut(index.type(), entry, head) : entry)
                .toList());
    }

    /**
     * Puts an index in the place of another one.
     *
     * @return false when somebody else was faster
     */
    private boolean replace(TypeRef type, TypeIndex index, Optional<ETag> expected) {
        Payload payload = Payload.of(index.bytes(RandomIds.hex(random, 16)));
        PutOutcome outcome = expected.isPresent()
                ? store.putIfMatch(Keys.index(type), payload, expected.get())
                : store.putIfAbsent(Keys.index(type), payload);
        known.remove(type);
        if (outcome instanceof PutOutcome.Written written) {
            known.put(type, new Stored(index, Optional.of(written.etag()), true));
            return true;
        }
        return false;
    }

    private Stored read(TypeRef type) {
        Optional<StoredObject> object = store.get(Keys.index(type));
        Optional<TypeIndex> index = object.flatMap(found -> parse(type, found));
        return new Stored(
                index.or(() -> resolver.readCheckpoint(type)).orElse(TypeIndex.empty(type)),
                object.map(StoredObject::etag),
                index.isPresent());
    }

    /** Empty when it cannot be read: it is made anew from the commits then. */
    private static Optional<TypeIndex> parse(TypeRef type, StoredObject object) {
        try {
            return Optional.of(TypeIndex.parse(type, object.bytes()));
        } catch (OntologiaException e) {
            return Optional.empty();
        }
    }
}
