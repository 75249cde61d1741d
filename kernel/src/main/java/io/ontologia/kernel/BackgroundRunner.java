package io.ontologia.kernel;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Calls one {@link Step} again and again on a daemon thread of its own, each time after the wait that the step asked for.
 * It ends when the step says that the work is over, when the step throws, or when it is closed.
 *
 * <p>A step is never interrupted: an interrupt in the middle of file I/O would close channels that others use. All
 * methods may be called from any thread.
 */
public final class BackgroundRunner implements AutoCloseable {
    private final Step step;
    private final Consumer<? super RuntimeException> onFailure;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private boolean stopped;
    private boolean woken;

    private BackgroundRunner(String name, Step step, Consumer<? super RuntimeException> onFailure) {
        this.step = step;
        this.onFailure = onFailure;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Starts the work; the first step runs at once.
     *
     * @param name the thread's name
     * @param onFailure told, on that thread, what a step threw; there is no step after it
     */
    public static BackgroundRunner start(String name, Step step, Consumer<? super RuntimeException> onFailure) {
        BackgroundRunner runner = new BackgroundRunner(name, step, onFailure);
        runner.thread.start();
        return runner;
    }

    /**
     * Ends the wait for the next step at once; when a step runs now, there will be no wait after it. Cheap, never blocks on a
     * step, and many calls before a step are as good as one.
     */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a wait at once, lets a running step finish, and returns when the thread is gone; does not wait when the step
     * itself or an interrupted thread calls it. Idempotent.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        try {
            Optional<Duration> wait = Optional.of(Duration.ZERO);
            while (wait.isPresent() && waited(wait.get())) {
                wait = step.step();
            }
        } catch (RuntimeException e) {
            onFailure.accept(e);
        }
    }

    /** Waits; false when the runner was closed meanwhile. */
    private boolean waited(Duration duration) {
        // Duration.toNanos overflows after 292 years; no step means to wait that long.
        long nanos = duration.compareTo(Duration.ofDays(1)) > 0 ? TimeUnit.DAYS.toNanos(1) : duration.toNanos();
        lock.lock();
        try {
            while (!stopped && !woken && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            woken = false;
            return !stopped;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }
}
