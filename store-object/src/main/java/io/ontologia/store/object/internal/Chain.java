package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The commits of a store, each pointing at the one before it. Manifests never change, so each is fetched once. */
final class Chain {
    private static final int REMEMBERED = 10_000;

    private final ObjectStore store;

    private final Map<String, Manifest> known = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Manifest> eldest) {
            return size() > REMEMBERED;
        }
    };

    Chain(ObjectStore store) {
        this.store = store;
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
                if (manifest.commitId() >= last) {
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
}
