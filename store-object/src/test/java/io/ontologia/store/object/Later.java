package io.ontologia.store.object;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Does what it is asked to when the test says so. */
final class Later extends AbstractExecutorService {
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    void run() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
