package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
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

    /**
     * Linux refuses to wait when it sees a cycle of waiting processes, although other threads hold the locks and there is
     * no deadlock. So a refusal means: ask again, soon.
     */
    private static final RetryPolicy REFUSED =
            new RetryPolicy(Integer.MAX_VALUE, Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(10));

    private static final Map<StripeId, Mutex> MUTEXES = new HashMap<>();

    private record StripeId(Object folder, int stripe) {}

    private static final class Mutex {
        final ReentrantLock lock = new ReentrantLock();
        int users;
    }

    private final Path folder;
    private final Retry retry;

    StripeLocks(Path folder, Clock clock, RandomGenerator random) {
        this.folder = folder;
        this.retry = new Retry(REFUSED, clock, random);
    }

    /** The stripe of a key, the same in every process. */
    static int stripe(String key) {
        return (key.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - STRIPE_BITS);
    }

    /** Waits for the lock of a stripe. The folder of the lock files must exist. */
    Held lock(int stripe) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
        Object identity = attributes.fileKey() == null ? folder.toRealPath() : attributes.fileKey();
        StripeId id = new StripeId(identity, stripe);
        Mutex mutex = enter(id);
        try {
            return new Held(id, mutex, lockedChannel(folder.resolve("%02x".formatted(stripe))));
        } catch (IOException | RuntimeException | Error e) {
            leave(id, mutex);
            throw e;
        }
    }

    private static Mutex enter(StripeId id) {
        Mutex mutex;
        synchronized (MUTEXES) {
            mutex = MUTEXES.computeIfAbsent(id, unused -> new Mutex());
            mutex.users++;
        }
        mutex.lock.lock();
        return mutex;
    }

    private static void leave(StripeId id, Mutex mutex) {
        mutex.lock.unlock();
        synchronized (MUTEXES) {
            if (--mutex.users == 0) {
                MUTEXES.remove(id);
            }
        }
    }

    private FileChannel lockedChannel(Path file) throws IOException {
        Retry.Attempts attempts = retry.start();
        while (true) {
            try {
                FileChannel channel = lockedOnce(file);
                if (channel != null) {
                    return channel;
                }
            } catch (LockRefused e) {
                if (!attempts.waitForNext()) {
                    throw e;
                }
            }
        }
    }

    /** Waits for the lock, and returns null when the file was replaced meanwhile, or was made just now. */
    private static @Nullable FileChannel lockedOnce(Path file) throws IOException {
        Object before = identity(file);
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        boolean keep = false;
        try {
            waitForLock(channel);
            // Somebody may have removed the store and begun a new one; the lock must be on the file that others see.
            keep = before != null && before.equals(identity(file));
            return keep ? channel : null;
        } finally {
            if (!keep) {
                closeQuietly(channel);
            }
        }
    }

    private static void waitForLock(FileChannel channel) throws IOException {
        try {
            channel.lock();
        } catch (ClosedChannelException | FileLockInterruptionException e) {
            throw e;
        } catch (IOException e) {
            throw new LockRefused(e);
        } catch (OverlappingFileLockException e) {
            throw new IOException("another copy of this library in this process holds the lock", e);
        }
    }

    /** The system did not want to wait for a lock. */
    private static final class LockRefused extends IOException {
        LockRefused(IOException reason) {
            super(Failures.reason(reason), reason);
        }
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
