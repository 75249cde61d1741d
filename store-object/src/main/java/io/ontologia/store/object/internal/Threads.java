package io.ontologia.store.object.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Who does the work of a store beside the threads that use it.
 *
 * @param transfers moves objects, many at a time
 * @param upkeep brings indices up to date, one after the other
 * @param keepsLeases whether a lease is renewed in the background
 */
public record Threads(ExecutorService transfers, ExecutorService upkeep, boolean keepsLeases) {
    private static final int TRANSFERS = 32;

    /** Threads of our own. */
    public static Threads background() {
        return new Threads(daemons("ontologia-transfer", TRANSFERS), daemons("ontologia-index-upkeep", 1), true);
    }

    /** Nobody: everything happens in the thread that asks for it, and in the order in which it asks. */
    public static Threads none() {
        return new Threads(new InPlace(), new InPlace(), false);
    }

    private static ExecutorService daemons(String name, int count) {
        return Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Waits for all, and throws what one of them threw; an error before an exception. */
    static void join(List<? extends Future<?>> running) {
        Throwable failure = null;
        for (Future<?> one : running) {
            try {
                one.get();
            } catch (ExecutionException e) {
                failure = failure instanceof Error ? failure : e.getCause();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = new OntologiaException(
                        ErrorKind.CLOSED, "a transfer stopped", "the thread was interrupted", "try again", e);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    /** The result of something that was joined. */
    static <T> T done(Future<T> joined) {
        try {
            return joined.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("asked before it was joined", e);
        }
    }

    void shutdown() {
        upkeep.shutdown();
        transfers.shutdown();
    }

    private static final class InPlace extends AbstractExecutorService {
        private volatile boolean stopped;

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            stopped = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            stopped = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return stopped;
        }

        @Override
        public boolean isTerminated() {
            return stopped;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
