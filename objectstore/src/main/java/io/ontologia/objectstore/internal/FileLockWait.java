package io.ontologia.objectstore.internal;

import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One wait for a file lock of the operating system, with a deadline. The system itself offers only waits without one, and a
 * process that is stopped while it holds a lock keeps it until it continues or ends. So the lock is tried again and again,
 * with pauses that grow from a tenth of a millisecond to five milliseconds.
 *
 * <p>Between the threads of one process a lock of the operating system means nothing, so each file has a mutex too; the
 * deadline covers both. Used by one thread.
 */
public final class FileLockWait {
    private static final Duration FIRST_PAUSE = Duration.ofNanos(100_000);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(5);

    private final Path file;
    private final Duration limit;
    private final Clock clock;
    private final long startedAt;
    private Duration pause = FIRST_PAUSE;

    /** Starts to wait for the lock on a file, for no longer than the limit. */
    public FileLockWait(Path file, Duration limit, Clock clock) {
        this.file = file;
        this.limit = limit;
        this.clock = clock;
        this.startedAt = clock.monotonicNanos();
    }

    /**
     * Takes the mutex of the file.
     *
     * @throws FileLockTimeout when other threads of this process had it until the deadline
     */
    public void enter(ReentrantLock mutex) throws IOException {
        boolean entered;
        try {
            entered = mutex.tryLock() || mutex.tryLock(Math.max(0, left()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        }
        if (!entered) {
            throw new FileLockTimeout(file, limit);
        }
    }

    /** Takes the lock if no other process has it. */
    public boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            throw new IOException("another copy of this library in this process holds the lock", e);
        }
    }

    /**
     * Pauses before the next try.
     *
     * @throws FileLockTimeout when the deadline has passed
     */
    public void pause() throws IOException {
        long left = left();
        if (left <= 0) {
            throw new FileLockTimeout(file, limit);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted(new InterruptedException());
        }
        clock.sleep(pause.toNanos() < left ? pause : Duration.ofNanos(left));
        pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }

    private long left() {
        return limit.toNanos() - (clock.monotonicNanos() - startedAt);
    }

    private static FileLockInterruptionException interrupted(InterruptedException cause) {
        FileLockInterruptionException interruption = new FileLockInterruptionException();
        interruption.initCause(cause);
        return interruption;
    }
}
