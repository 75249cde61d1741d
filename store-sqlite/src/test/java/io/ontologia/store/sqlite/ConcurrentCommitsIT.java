package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.ChildJvm;
import io.ontologia.testkit.CommitLoop;
import io.ontologia.testkit.CommitLoopCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight threads and four processes commit to one file at once, which none of them finds there. {@code
 * -Dontologia.stress.seconds=60} sets for how long.
 */
class ConcurrentCommitsIT {
    private static final int THREADS = 8;
    private static final int PROCESSES = 4;

    @TempDir
    Path folder;

    private final List<CommitLoopCheck.Ack> acks = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong busyOpening = new AtomicLong();
    private final AtomicLong busyCommitting = new AtomicLong();
    private final CountDownLatch everybodyCommitted = new CountDownLatch(THREADS + PROCESSES);

    @Test
    void commits_of_threads_and_processes_are_in_one_order_and_none_is_lost() throws Exception {
        String uri = "sqlite:///" + folder.resolve("onto.db");
        CountDownLatch stop = new CountDownLatch(1);
        List<ChildJvm> processes = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int i = 0; i < PROCESSES; i++) {
                String writer = "process" + i;
                processes.add(new ChildJvm(CommitLoop.class, "128m", folder, line -> heard(writer, line), uri, writer));
            }
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String writer = "thread" + i;
                running.add(threads.submit(
                        () -> new CommitLoop(uri, Map.of(), writer, listener(writer)).run(() -> stop.getCount() > 0)));
            }

            everybodyCommitted.await(3, TimeUnit.MINUTES);
            Duration time = Duration.ofSeconds(Long.getLong("ontologia.stress.seconds", 5));
            assertThat(stop.await(time.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
            stop.countDown();
            for (ChildJvm process : processes) {
                process.stop();
            }
            for (Future<?> thread : running) {
                thread.get(2, TimeUnit.MINUTES);
            }
            for (ChildJvm process : processes) {
                assertThat(process.await()).isZero();
            }
        } finally {
            stop.countDown();
            processes.forEach(ChildJvm::close);
            threads.shutdownNow();
        }

        assertThat(everybodyCommitted.getCount())
                .as("writers that never committed")
                .isZero();
        assertThat(CommitLoopCheck.check(uri, Map.of(), acks)).isEqualTo(acks.size());
        System.out.printf(
                "%d commits by %d writers; busy %d times when opening, %d times when committing%n",
                acks.size(), THREADS + PROCESSES, busyOpening.get(), busyCommitting.get());
    }

    private void heard(String writer, String line) {
        String[] words = line.split(" ", -1);
        CommitLoop.Listener listener = listener(writer);
        switch (words[0]) {
            case "ack" -> listener.acknowledged(Long.parseLong(words[1]), Long.parseLong(words[2]));
            case "busy" -> listener.busy(Long.parseLong(words[1]));
            default -> listener.begin(Long.parseLong(words[1]));
        }
    }

    private CommitLoop.Listener listener(String writer) {
        return new CommitLoop.Listener() {
            @Override
            public void begin(long number) {}

            @Override
            public void acknowledged(long commitId, long number) {
                acks.add(new CommitLoopCheck.Ack(commitId, writer, number));
                if (number == 1) {
                    everybodyCommitted.countDown();
                }
            }

            @Override
            public void busy(long number) {
                (number == 0 ? busyOpening : busyCommitting).incrementAndGet();
            }
        };
    }
}
