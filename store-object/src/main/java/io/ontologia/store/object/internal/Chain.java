package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The commits of a store, each pointing at the one before it. Manifests never change, so each is fetched once. */
final class Chain {
    private static final int REMEMBERED = 10_000;

    /** From how many commits on their manifests are fetched together, and not one after the other. */
    private static final int MANY = 32;

    private final ObjectStore store;
    private final ExecutorService threads;

    private final Map<String, Manifest> known = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Manifest> eldest) {
            return size() > REMEMBERED;
        }
    };

    Chain(ObjectStore store, ExecutorService threads) {
        this.store = store;
        this.threads = threads;
    }

    /** Keeps a manifest that was just written. */
    void remember(Manifest manifest) {
        synchronized (known) {
            known.put(manifest.path(), manifest);
        }
    }

    /**
     * The manifest under a key.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT} when there is none
     */
    Manifest manifest(String path) {
        synchronized (known) {
            Manifest found = known.get(path);
            if (found != null) {
                return found;
            }
        }
        Manifest read = Manifest.parse(
                path,
                store.get(path)
                        .orElseThrow(() -> new OntologiaException(
                                ErrorKind.CORRUPT,
                                "cannot read commit manifest '" + path + "'",
                                "it is not there, although a later commit builds on it",
                                "restore it from a backup; 'onto fsck' tells what else is missing"))
                        .bytes());
        remember(read);
        return read;
    }

    /** The commits from a head back to the first one. */
    Iterable<Manifest> back(Head head) {
        return () -> new Iterator<>() {
            private Optional<String> next = head.manifestPath();
            private long last = head.commitId() + 1;

            @Override
            public boolean hasNext() {
                return next.isPresent();
            }

            @Override
            public Manifest next() {
                Manifest manifest = manifest(next.orElseThrow(NoSuchElementException::new));
                boolean isNewest = last == head.commitId() + 1;
                if (manifest.commitId() >= last || (isNewest && manifest.commitId() != head.commitId())) {
                    throw new OntologiaException(
                            ErrorKind.CORRUPT,
                            "cannot follow the commits",
                            "'" + manifest.path() + "' is commit " + manifest.commitId()
                                    + " and is called the one before " + last,
                            "run 'onto fsck'");
                }
                last = manifest.commitId();
                next = manifest.parentPath();
                return manifest;
            }
        };
    }

    /** As {@link #back}, fetched as the stream is read. */
    Stream<Manifest> stream(Head head) {
        return StreamSupport.stream(back(head).spliterator(), false);
    }

    /** The commit with an id, as a head sees it. */
    Optional<Manifest> find(Head head, long commitId) {
        if (commitId < 1 || commitId > head.commitId()) {
            return Optional.empty();
        }
        for (Manifest manifest : back(head)) {
            if (manifest.commitId() <= commitId) {
                return Optional.of(manifest).filter(found -> found.commitId() == commitId);
            }
        }
        return Optional.empty();
    }

    /**
     * The manifest of one commit in the history that ends with another, without reading it.
     *
     * @param newest the last commit of the history
     * @param path its manifest
     * @return empty when the history has no such commit
     */
    Optional<String> pathAt(long newest, String path, long commitId) {
        long at = newest;
        Optional<String> next = Optional.of(path);
        while (at > commitId && next.isPresent()) {
            Manifest manifest = manifest(next.get());
            if (manifest.parentId() >= at) {
                return Optional.empty();
            }
            at = manifest.parentId();
            next = manifest.parentPath();
        }
        return at == commitId ? next : Optional.empty();
    }

    /**
     * The commits from a head back to, and without, an earlier one; the newest first. Many are fetched together.
     *
     * @param after 0 for all commits
     */
    List<Manifest> since(Head head, long after) {
        fetchAhead(head, after);
        List<Manifest> commits = new ArrayList<>();
        for (Manifest manifest : back(head)) {
            if (manifest.commitId() <= after) {
                break;
            }
            commits.add(manifest);
            if (manifest.parentId() <= after) {
                break;
            }
        }
        return commits;
    }

    /**
     * As {@link #since}, as a stream. Where there are more commits than are remembered, they are fetched one by one as the
     * stream is read.
     */
    Stream<Manifest> recent(Head head, long after) {
        return head.commitId() - after <= REMEMBERED
                ? since(head, after).stream()
                : stream(head).takeWhile(manifest -> manifest.commitId() > after);
    }

    /**
     * Manifests are linked from the newest to the oldest, which is slow to follow over a network. Their names tell which
     * commits they are attempts at, so all that may be needed are fetched at the same time. What is missing or cannot be read
     * is left to the caller, which may not need it.
     */
    private void fetchAhead(Head head, long after) {
        if (head.commitId() - after < MANY || knows(head, after)) {
            return;
        }
        List<Future<?>> fetching = new ArrayList<>();
        ListRequest request = ListRequest.of(Keys.COMMITS);
        while (true) {
            ListPage page = store.list(request);
            for (ObjectSummary object : page.objects()) {
                OptionalLong commit = Keys.commitOfManifest(object.key());
                if (commit.isPresent() && commit.getAsLong() > after && commit.getAsLong() <= head.commitId()) {
                    fetching.add(threads.submit(() -> tryFetch(object.key())));
                }
            }
            if (page.next().isEmpty()) {
                break;
            }
            request = request.continueAt(page.next().get());
        }
        Threads.join(fetching);
    }

    /** Whether the first so many steps back from a head need no request: then the rest will not need many. */
    private boolean knows(Head head, long after) {
        Optional<String> next = head.manifestPath();
        for (int i = 0; i < MANY && next.isPresent(); i++) {
            Manifest found;
            synchronized (known) {
                found = known.get(next.get());
            }
            if (found == null) {
                return false;
            }
            if (found.parentId() <= after) {
                return true;
            }
            next = found.parentPath();
        }
        return true;
    }

    private void tryFetch(String path) {
        try {
            manifest(path);
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
        }
    }
}
