package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.FileModes;
import io.ontologia.objectstore.internal.FileLockWait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock for every key, shared by the keys of one stripe; it keeps out other threads, other stores of this JVM and other
 * processes, and is free again as soon as its holder's process ends, however it ends.
 *
 * <p>Between processes it is an OS lock on the stripe's file. The system counts that per process, and drops it when the
 * process closes <em>any</em> channel on the file; so the whole JVM opens a lock file only while it holds the mutex of
 * that file, known by device and inode of its folder. A holder never asks for a second lock.
 */
final class StripeLocks {
    /** 64 stripes. */
    private static final int STRIPE_BITS = 6;

    /** A lock is held for a few milliseconds, and a caller that does not want to wait means longer things. */
    private static final Duration SHORTEST_LIMIT = Duration.ofSeconds(1);

    private static final Map<StripeId, Mutex> MUTEXES = new HashMap<>();

    private record StripeId(Object folder, int stripe) {}

    private static final class Mutex {
        final ReentrantLock lock = new ReentrantLock();
        int users;
    }

    private final Path folder;
    private final Clock clock;
    private final Duration limit;
    private final FileModes modes;

    /** The locks of a folder; a wait for one of them ends at the limit, or after a second if that is longer. */
    StripeLocks(Path folder, Clock clock, Duration limit, FileModes modes) {
        this.folder = folder;
        this.clock = clock;
        this.limit = limit.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : limit;
        this.modes = modes;
    }

    /** The stripe of a key, the same in every process. */
    static int stripe(String key) {
        return (key.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - STRIPE_BITS);
    }

    /**
     * Waits for the lock of a stripe. The folder of the lock files must exist.
     *
     * @throws io.ontologia.objectstore.internal.FileLockTimeout when others held it until the limit
     */
    Held lock(int stripe) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
        Object identity = attributes.fileKey() == null ? folder.toRealPath() : attributes.fileKey();
        StripeId id = new StripeId(identity, stripe);
        Path file = folder.resolve("%02x".formatted(stripe));
        FileLockWait wait = new FileLockWait(file, limit, clock);
        Mutex mutex = enter(id, wait);
        try {
            return new Held(id, mutex, lockedChannel(file, wait));
        } catch (IOException | RuntimeException | Error e) {
            leave(id, mutex);
            throw e;
        }
    }

    private static Mutex enter(StripeId id, FileLockWait wait) throws IOException {
        Mutex mutex;
        synchronized (MUTEXES) {
            mutex = MUTEXES.computeIfAbsent(id, unused -> new Mutex());
            mutex.users++;
        }
        try {
            wait.enter(mutex.lock);
            return mutex;
        } catch (IOException | RuntimeException | Error e) {
            forget(id, mutex);
            throw e;
        }
    }

    private static void leave(StripeId id, Mutex mutex) {
        mutex.lock.unlock();
        forget(id, mutex);
    }

    private static void forget(StripeId id, Mutex mutex) {
        synchronized (MUTEXES) {
            if (--mutex.users == 0) {
                MUTEXES.remove(id);
            }
        }
    }

    private FileChannel lockedChannel(Path file, FileLockWait wait) throws IOException {
        while (true) {
            FileChannel channel = lockedOnce(file, wait);
            if (channel != null) {
                return channel;
            }
        }
    }

    /** Waits for the lock, and returns null when the file was replaced meanwhile, or was made just now. */
    private @Nullable FileChannel lockedOnce(Path file, FileLockWait wait) throws IOException {
        Object before = identity(file);
        FileChannel channel = modes.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        boolean keep = false;
        try {
            boolean locked = wait.tryLock(channel);
            // The store may have been removed and created again; the lock must be on the file that others see.
            boolean current = isAt(file, before);
            while (!locked && current) {
                wait.pause();
                locked = wait.tryLock(channel);
                current = isAt(file, before);
            }
            keep = locked && current;
            return keep ? channel : null;
        } finally {
            if (!keep) {
                closeQuietly(channel);
            }
        }
    }

    private static boolean isAt(Path file, @Nullable Object identity) throws IOException {
        return identity != null && identity.equals(identity(file));
    }

    private static @Nullable Object identity(Path file) throws IOException {
        BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(file);
        return attributes == null ? null : FileVersion.of(attributes).fileKey();
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The system releases the descriptor and its locks even when it reports an error.
            return;
        }
    }

    /** A lock that is held. Its file keeps the last generation that the stripe gave out. Used by one thread. */
    static final class Held implements AutoCloseable {
        private final StripeId id;
        private final Mutex mutex;
        private final FileChannel channel;

        private Held(StripeId id, Mutex mutex, FileChannel channel) {
            this.id = id;
            this.mutex = mutex;
            this.channel = channel;
        }

        /** The last generation that was recorded; lower than any other when none was. */
        long lastGeneration() throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, buffer.position()) < 0) {
                    return Long.MIN_VALUE;
                }
            }
            return buffer.getLong(0);
        }

        /** Records a generation, for all processes. */
        void record(long generation) throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).putLong(0, generation);
            while (buffer.hasRemaining()) {
                channel.write(buffer, buffer.position());
            }
        }

        /** Records a generation so that it also survives a power failure. */
        void recordOnDisk(long generation) throws IOException {
            record(generation);
            channel.force(true);
        }

        @Override
        public void close() {
            closeQuietly(channel);
            leave(id, mutex);
        }
    }
}
