package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BackgroundRunnerTest {

    @Test
    void steps_run_one_after_the_other_until_the_work_is_over() throws Exception {
        List<String> threads = new ArrayList<>();
        CountDownLatch over = new CountDownLatch(1);
        Step threeTimes = () -> {
            threads.add(Thread.currentThread().getName());
            if (threads.size() < 3) {
                return Optional.of(Duration.ofNanos(1));
            }
            over.countDown();
            return Optional.empty();
        };

        BackgroundRunner runner = BackgroundRunner.start("counting", threeTimes, e -> {});
        assertThat(over.await(20, TimeUnit.SECONDS)).isTrue();
        runner.close();

        assertThat(threads).containsExactly("counting", "counting", "counting");
    }

    @Test
    void closing_ends_a_long_wait_at_once() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        CountDownLatch first = new CountDownLatch(1);
        BackgroundRunner runner = BackgroundRunner.start(
                "waiting",
                () -> {
                    steps.incrementAndGet();
                    first.countDown();
                    return Optional.of(Duration.ofDays(100_000));
                },
                e -> {});

        assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
        runner.close();

        assertThat(steps).hasValue(1);
    }

    @Test
    void waking_ends_a_wait_and_is_not_forgotten_while_a_step_runs() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch three = new CountDownLatch(3);
        BackgroundRunner runner = BackgroundRunner.start(
                "sleeper",
                () -> {
                    three.countDown();
                    inStep.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        return Optional.empty();
                    }
                    return Optional.of(Duration.ofDays(1));
                },
                e -> {});

        assertThat(inStep.await(20, TimeUnit.SECONDS)).isTrue();
        runner.wake();
        goOn.countDown();
        while (three.getCount() > 1) {
            Thread.onSpinWait();
        }
        runner.wake();

        assertThat(three.await(20, TimeUnit.SECONDS)).isTrue();
        runner.close();
    }

    @Test
    void closing_waits_for_the_running_step_and_does_not_interrupt_it() throws Exception {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<String> end = new AtomicReference<>("still running");
        BackgroundRunner runner = BackgroundRunner.start(
                "busy",
                () -> {
                    inStep.countDown();
                    try {
                        goOn.await();
                        end.set("finished");
                    } catch (InterruptedException e) {
                        end.set("interrupted");
                    }
                    return Optional.of(Duration.ZERO);
                },
                e -> {});

        assertThat(inStep.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(runner::close);
        goOn.countDown();
        closing.get(20, TimeUnit.SECONDS);

        assertThat(end).hasValue("finished");
    }

    @Test
    void a_step_that_throws_is_reported_and_ends_the_work() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        CompletableFuture<RuntimeException> reported = new CompletableFuture<>();
        Step failing = () -> {
            steps.incrementAndGet();
            throw new IllegalStateException("broken");
        };

        BackgroundRunner runner = BackgroundRunner.start("failing", failing, reported::complete);
        RuntimeException failure = reported.get(20, TimeUnit.SECONDS);
        runner.close();

        assertThat(failure).hasMessage("broken");
        assertThat(steps).hasValue(1);
    }

    @Test
    void a_step_may_close_its_own_runner() throws Exception {
        CompletableFuture<BackgroundRunner> self = new CompletableFuture<>();
        AtomicInteger steps = new AtomicInteger();
        BackgroundRunner runner = BackgroundRunner.start(
                "closing itself",
                () -> {
                    steps.incrementAndGet();
                    self.join().close();
                    return Optional.of(Duration.ZERO);
                },
                e -> {});

        self.complete(runner);
        runner.close();

        assertThat(steps.get()).isLessThanOrEqualTo(1);
    }
}
