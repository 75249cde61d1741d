package io.ontologia.objectstore.internal.cache;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.FileModes;
import io.ontologia.objectstore.internal.FileLockTimeout;
import io.ontologia.objectstore.internal.FileLockWait;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps out other threads, other caches of this JVM and other processes while a cache folder is changed. Its file also
 * keeps how many bytes the folder holds, so that not every change needs to look at every file.
 *
 * <p>The system drops a process's lock when the process closes <em>any</em> channel on the file; so the whole JVM opens the
 * file only while it holds the mutex of that folder.
 */
final class FolderLock {
    private static final Map<Object, ReentrantLock> MUTEXES = new ConcurrentHashMap<>();

    private final Path file;
    private final ReentrantLock mutex;
    private final Clock clock;
    private final Duration limit;

    /** Whether the last wait reached its limit: then the next one only tries, because the holder may stay stopped. */
    private volatile boolean blocked;

    /**
     * The folder must exist.
     *
     * @param limit the longest wait for the lock
     */
    FolderLock(Path folder, Clock clock, Duration limit) throws IOException {
        Object identity =
                Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        this.file = folder.resolve("cache.lock");
        this.mutex = MUTEXES.computeIfAbsent(
                identity == null ? folder.toRealPath() : identity, unused -> new ReentrantLock());
        this.clock = clock;
        this.limit = limit;
    }

    /**
     * Waits for the lock.
     *
     * @throws io.ontologia.objectstore.internal.FileLockTimeout when others held it until the limit
     */
    Held acquire() throws IOException {
        FileLockWait wait = new FileLockWait(file, blocked ? Duration.ZERO : limit, clock);
        try {
            Held held = acquire(wait);
            blocked = false;
            return held;
        } catch (FileLockTimeout e) {
            blocked = true;
            throw e;
        }
    }

    private Held acquire(FileLockWait wait) throws IOException {
        wait.enter(mutex);
        try {
            FileChannel channel = FileModes.PRIVATE.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                while (!wait.tryLock(channel)) {
                    wait.pause();
                }
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
