package io.ontologia.objectstore.internal.cache;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/**
 * Keeps out other threads, other caches of this JVM and other processes while a cache folder is changed. Its file also
 * keeps how many bytes the folder holds, so that not every change needs to look at every file.
 *
 * <p>The system drops a process's lock when the process closes <em>any</em> channel on the file; so the whole JVM opens the
 * file only while it holds the mutex of that folder.
 */
final class FolderLock {
    /**
     * Linux refuses to wait when it sees a cycle of processes waiting for each other, although different threads hold the
     * locks and there is no deadlock. So a refusal means: ask again, soon.
     */
    private static final RetryPolicy REFUSED =
            new RetryPolicy(Integer.MAX_VALUE, Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(10));

    private static final Map<Object, ReentrantLock> MUTEXES = new ConcurrentHashMap<>();

    private final Path file;
    private final ReentrantLock mutex;
    private final Retry retry;

    /** The folder must exist. */
    FolderLock(Path folder, Clock clock, RandomGenerator random) throws IOException {
        Object identity =
                Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        this.file = folder.resolve("cache.lock");
        this.mutex = MUTEXES.computeIfAbsent(
                identity == null ? folder.toRealPath() : identity, unused -> new ReentrantLock());
        this.retry = new Retry(REFUSED, clock, random);
    }

    /** Waits for the lock. */
    Held acquire() throws IOException {
        mutex.lock();
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                waitForLock(channel);
                return new Held(mutex, channel);
            } catch (IOException | RuntimeException | Error e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException | Error e) {
            mutex.unlock();
            throw e;
        }
    }

    private void waitForLock(FileChannel channel) throws IOException {
        Retry.Attempts attempts = retry.start();
        while (true) {
            try {
                channel.lock();
                return;
            } catch (ClosedChannelException | FileLockInterruptionException e) {
                throw e;
            } catch (IOException e) {
                if (!attempts.waitForNext()) {
                    throw e;
                }
            }
        }
    }

    /** The lock while it is held. Used by one thread. */
    static final class Held implements AutoCloseable {
        private static final long UNKNOWN = -1;

        private final ReentrantLock mutex;
        private final FileChannel channel;

        private Held(ReentrantLock mutex, FileChannel channel) {
            this.mutex = mutex;
            this.channel = channel;
        }

        /** The bytes that were last recorded, never less than there are; negative when nobody knows. */
        long bytes() throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES);
            while (buffer.hasRemaining()) {
                if (channel.read(buffer, buffer.position()) < 0) {
                    return UNKNOWN;
                }
            }
            return buffer.getLong(0);
        }

        /** Records the bytes: before they grow, and after they shrink. */
        void bytes(long total) throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).putLong(0, total);
            while (buffer.hasRemaining()) {
                channel.write(buffer, buffer.position());
            }
        }

        /** Makes the next one count again. */
        void forgetBytes() throws IOException {
            bytes(UNKNOWN);
        }

        @Override
        public void close() throws IOException {
            try {
                channel.close();
            } finally {
                mutex.unlock();
            }
        }
    }
}
