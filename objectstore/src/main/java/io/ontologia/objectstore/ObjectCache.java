package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.internal.cache.CacheFolder;
import io.ontologia.objectstore.internal.cache.CacheFolder.Copy;
import io.ontologia.objectstore.internal.cache.ContentSum;
import io.ontologia.objectstore.internal.cache.Linker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Immutable objects of object stores as local files, fetched once per machine. Bounded in bytes; what was used longest ago
 * goes first. Nothing is ever revalidated: open only what never changes under its key.
 *
 * <p><b>Sharing.</b> Several processes may use one folder, and one process may open it more than once. An object is
 * recognised by the store's location and its key; so the location must name one store. Memory stores all have the same one:
 * give each a folder of its own.
 *
 * <p><b>Crashes.</b> An object becomes visible by one rename after its length, and its hash where it is known, were
 * checked. What a killed process leaves behind is removed by the next one. Files damaged later are noticed by their length
 * always, by their hash when a process first uses them, and are fetched again.
 *
 * <p><b>The bound</b> holds for what is kept. Downloads in progress, and objects that were evicted while they were open, take
 * room beyond it until they are done or closed.
 *
 * <p>All methods may be called from many threads at once.
 */
public final class ObjectCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectCache.class);

    private final Path dir;
    private final CacheFolder folder;
    private final Map<String, Pin> pins = new HashMap<>();
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong misses = new AtomicLong();
    private int users;
    private boolean closed;

    /** An object that is open, or being fetched, in this process. Its users are guarded by {@link #pins}. */
    private static final class Pin {
        final String name;
        final Expected expected;
        final CompletableFuture<Copy> copy = new CompletableFuture<>();
        int users;

        Pin(String name, Expected expected) {
            this.name = name;
            this.expected = expected;
        }
    }

    /** As the longer constructor, with the lock timeout of {@link ObjectStoreOptions#defaults()}. */
    public ObjectCache(Path dir, long maxBytes, Clock clock, RandomGenerator random) {
        this(dir, maxBytes, clock, random, ObjectStoreOptions.defaults().lockTimeout());
    }

    /**
     * Opens a cache in a folder, which is made when it is not there.
     *
     * @param maxBytes how much to keep; zero to keep nothing
     * @param lockTimeout how long to wait for another process that changes the folder. When that is over, objects are
     *     fetched and not kept, until the other process is done.
     * @throws OntologiaException of kind {@link ErrorKind#UNAVAILABLE} when the folder cannot be used
     */
    public ObjectCache(Path dir, long maxBytes, Clock clock, RandomGenerator random, Duration lockTimeout) {
        this(dir, maxBytes, clock, random, lockTimeout, Files::createLink);
    }

    ObjectCache(Path dir, long maxBytes, Clock clock, RandomGenerator random, Duration lockTimeout, Linker linker) {
        if (maxBytes < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid cache size " + maxBytes, "it is negative", "give it in bytes");
        }
        this.dir = dir.toAbsolutePath();
        try {
            this.folder = new CacheFolder(this.dir, maxBytes, clock, random, linker, lockTimeout);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /**
     * The object as a local file. When many threads ask for one object at a time, one of them fetches it and the others
     * wait; if that fails, all of them get its error, and the next to ask tries again.
     *
     * @param expected what the content must be, where that is known
     * @return a handle that keeps the file; close it
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when the store has no such object; {@link
     *     ErrorKind#CORRUPT} when what it has is not what was expected; {@link ErrorKind#UNAVAILABLE} when the folder cannot
     *     be used; {@link ErrorKind#CLOSED} after {@link #close()} or when a waiting thread is interrupted; and whatever the
     *     store throws. Nothing is kept then.
     */
    public CachedObject open(ObjectStore store, String key, Expected expected) {
        String name = Sha256.hex(store.location() + "\n" + ObjectKey.require(key));
        while (true) {
            Pin fresh = new Pin(name, expected);
            Pin pin = join(fresh);
            if (pin == fresh) {
                load(pin, store, key);
            }
            Optional<CachedObject> opened = open(pin, expected, pin == fresh);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
    }

    /**
     * Removes the local file of an object, if there is one. Handles that are open keep theirs until they are closed.
     *
     * @throws OntologiaException of kind {@link ErrorKind#UNAVAILABLE} when the folder cannot be used
     */
    public void remove(ObjectStore store, String key) {
        try {
            folder.remove(Sha256.hex(store.location() + "\n" + ObjectKey.require(key)));
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /** Becomes a user of what is there already, or of the given one. */
    private Pin join(Pin fresh) {
        synchronized (pins) {
            if (closed) {
                throw new OntologiaException(
                        ErrorKind.CLOSED, "cannot use the cache " + dir, "it was closed", "open it again");
            }
            Pin pin = pins.computeIfAbsent(fresh.name, unused -> fresh);
            pin.users++;
            users++;
            return pin;
        }
    }

    /** Empty when the caller has to start over, because what is there was not made for its expectations. */
    private Optional<CachedObject> open(Pin pin, Expected expected, boolean loadedByUs) {
        boolean opened = false;
        try {
            Copy copy = await(pin);
            if (loadedByUs || (fits(expected, copy.sum()) && folder.useAgain(pin.name, copy))) {
                hits.addAndGet(loadedByUs ? 0 : 1);
                opened = true;
                CachedObject.Origin origin = loadedByUs ? CachedObject.Origin.STORE : CachedObject.Origin.CACHE;
                return Optional.of(new CachedObject(copy.path(), copy.sum().length(), origin, () -> leave(pin)));
            }
            forget(pin);
            return Optional.empty();
        } catch (OntologiaException e) {
            if (loadedByUs
                    || expected.equals(pin.expected)
                    || Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        } finally {
            if (!opened) {
                leave(pin);
            }
        }
    }

    private static Copy await(Pin pin) {
        try {
            return pin.copy.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OntologiaException(
                    ErrorKind.CLOSED, "waiting for a download stopped", "the thread was interrupted", "try again", e);
        }
    }

    private void load(Pin pin, ObjectStore store, String key) {
        try {
            Optional<Copy> found = folder.find(pin.name, sum -> fits(pin.expected, sum));
            (found.isPresent() ? hits : misses).incrementAndGet();
            pin.copy.complete(found.isPresent() ? found.get() : fetch(pin, store, key));
        } catch (IOException | UncheckedIOException e) {
            fail(pin, unusable(e));
        } catch (RuntimeException | Error e) {
            fail(pin, e);
        }
    }

    private void fail(Pin pin, Throwable failure) {
        forget(pin);
        pin.copy.completeExceptionally(failure);
    }

    private Copy fetch(Pin pin, ObjectStore store, String key) throws IOException {
        Path file = folder.newFile();
        boolean kept = false;
        try {
            ObjectSummary summary = store.download(key, file).orElseThrow(() -> missing(store, key));
            ContentSum sum = ContentSum.of(file);
            if (sum.length() != summary.size() || !fits(pin.expected, sum)) {
                throw corrupt(store, key, pin.expected, summary, sum);
            }
            force(file);
            Copy copy = new Copy(file, sum);
            publish(pin.name, copy);
            kept = true;
            return copy;
        } finally {
            if (!kept) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The object is here and whole; that it cannot be kept for others is no reason to fail. */
    private void publish(String name, Copy copy) {
        try {
            folder.publish(name, copy);
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("folder", dir)
                    .addKeyValue("reason", e.toString())
                    .log("object not kept in cache");
        }
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileModes.openExisting(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static boolean fits(Expected expected, ContentSum sum) {
        return expected.fits(sum.length(), sum.sha256());
    }

    private void forget(Pin pin) {
        synchronized (pins) {
            pins.remove(pin.name, pin);
        }
    }

    private void leave(Pin pin) {
        boolean lastOfPin;
        boolean lastOfAll;
        synchronized (pins) {
            lastOfPin = --pin.users == 0;
            if (lastOfPin) {
                pins.remove(pin.name, pin);
            }
            lastOfAll = --users == 0 && closed;
        }
        try {
            if (lastOfPin && pin.copy.isDone() && !pin.copy.isCompletedExceptionally()) {
                Files.deleteIfExists(pin.copy.join().path());
            }
            if (lastOfAll) {
                folder.close();
            }
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("folder", dir)
                    .addKeyValue("reason", e.toString())
                    .log("cached file not removed");
        }
    }

    /** What happened so far, and what is kept now. */
    public CacheStats stats() {
        try {
            return new CacheStats(hits.get(), misses.get(), folder.bytes(), folder.evictions());
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /**
     * Ends the use of the folder by this cache. Objects that are open stay until they are closed. What is kept stays for the
     * next one. Idempotent.
     */
    @Override
    public void close() {
        boolean last;
        synchronized (pins) {
            last = !closed && users == 0;
            closed = true;
        }
        if (last) {
            try {
                folder.close();
            } catch (IOException e) {
                throw unusable(e);
            }
        }
    }

    private OntologiaException unusable(Exception e) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot use the cache folder " + dir,
                e.toString(),
                "check that it is writable and has free space",
                e);
    }

    private static OntologiaException missing(ObjectStore store, String key) {
        return new OntologiaException(
                ErrorKind.NOT_FOUND,
                "cannot read '" + key + "'",
                "there is no such object in " + store.location(),
                "check that it was not removed by a clean-up");
    }

    private static OntologiaException corrupt(
            ObjectStore store, String key, Expected expected, ObjectSummary summary, ContentSum actual) {
        String cause;
        if (actual.length() != summary.size()) {
            cause = actual.length() + " of " + summary.size() + " bytes arrived";
        } else if (expected.length().orElse(actual.length()) != actual.length()) {
            cause = "it has " + actual.length() + " bytes instead of "
                    + expected.length().getAsLong();
        } else {
            cause = "its content has another SHA-256 than was recorded for it";
        }
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot use '" + key + "' from " + store.location(),
                cause,
                "restore the object from a backup or another copy");
    }
}
