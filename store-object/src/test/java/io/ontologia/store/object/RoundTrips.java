package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.StoreOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Counts requests, and how many of them have to wait for others. Tasks that are handed to its threads and waited for
 * together are one batch: they take as long as the longest of them. No clock is needed, so the numbers are exact.
 */
final class RoundTrips extends AbstractExecutorService {
    private final List<Runnable> handedOver = new ArrayList<>();
    private int requests;
    private int sequential;
    private int ofTask;
    private boolean inBatch;

    /** A store whose requests are counted here. */
    ObjectStore counting(ObjectStore store) {
        return new ForwardingObjectStore(store) {
            @Override
            protected <T> T around(StoreOperation operation, Supplier<T> request) {
                requests++;
                if (inBatch) {
                    ofTask++;
                } else {
                    sequential++;
                }
                return request.get();
            }
        };
    }

    int requests() {
        return requests;
    }

    /** How many requests there were one after the other. */
    int sequential() {
        return sequential;
    }

    void reset() {
        requests = 0;
        sequential = 0;
    }

    private void runBatch() {
        if (inBatch || handedOver.isEmpty()) {
            return;
        }
        inBatch = true;
        int longest = 0;
        while (!handedOver.isEmpty()) {
            ofTask = 0;
            handedOver.remove(0).run();
            longest = Math.max(longest, ofTask);
        }
        inBatch = false;
        sequential += longest;
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable task, T value) {
        return newTaskFor(() -> {
            task.run();
            return value;
        });
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
        return new FutureTask<>(task) {
            @Override
            public T get() throws InterruptedException, ExecutionException {
                runBatch();
                return super.get();
            }
        };
    }

    @Override
    public void execute(Runnable task) {
        handedOver.add(task);
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
