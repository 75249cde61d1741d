package io.ontologia.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Threads that start together, round after round. Used by one thread. */
final class Racers implements AutoCloseable {
    private final int count;
    private final ExecutorService threads;

    Racers(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(count);
    }

    /** Lets all racers go at once, each with its number, and returns what they returned in the order of the numbers. */
    <T> List<T> race(IntFunction<T> racer) {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Callable<T>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> {
                start.await(1, TimeUnit.MINUTES);
                return racer.apply(number);
            });
        }
        return run(tasks);
    }

    /** Does something for every element, shared among the racers. */
    <E> void forEach(Collection<E> elements, Consumer<E> work) {
        run(elements.stream()
                .map(element -> Executors.callable(() -> work.accept(element)))
                .toList());
    }

    private <T> List<T> run(List<Callable<T>> tasks) {
        List<Future<T>> running = tasks.stream().map(threads::submit).toList();
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            try {
                results.add(future.get(10, TimeUnit.MINUTES));
            } catch (ExecutionException e) {
                throw new AssertionError("a racer failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                throw new AssertionError("a racer hangs", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
        return results;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
