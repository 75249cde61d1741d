package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryTest {
    private final List<Duration> waits = new ArrayList<>();
    private long nanos;

    private final Clock clock = new Clock() {
        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long monotonicNanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration duration) {
            waits.add(duration);
            nanos += duration.toNanos();
        }
    };

    private Retry retry(int attempts, Duration deadline) {
        var policy = new RetryPolicy(attempts, Duration.ofMillis(10), Duration.ofMillis(40), deadline);
        return new Retry(policy, clock, new SplittableRandom(1));
    }

    @Test
    void returns_the_first_success() {
        AtomicInteger calls = new AtomicInteger();

        int result = retry(5, Duration.ofSeconds(1))
                .call(
                        () -> {
                            if (calls.incrementAndGet() < 3) {
                                throw new IllegalStateException("not yet");
                            }
                            return calls.get();
                        },
                        e -> true);

        assertThat(result).isEqualTo(3);
        assertThat(waits).hasSize(2);
    }

    @Test
    void waits_grow_but_never_beyond_the_cap_and_use_the_whole_range() {
        List<Long> last = new ArrayList<>();
        for (int seed = 0; seed < 500; seed++) {
            waits.clear();
            var policy = new RetryPolicy(6, Duration.ofMillis(10), Duration.ofMillis(40), Duration.ofHours(1));
            var attempts = new Retry(policy, clock, new SplittableRandom(seed)).start();
            while (attempts.waitForNext()) {}

            assertThat(attempts.made()).isEqualTo(6);
            long[] bounds = {10, 20, 40, 40, 40};
            for (int i = 0; i < bounds.length; i++) {
                assertThat(waits.get(i)).isBetween(Duration.ZERO, Duration.ofMillis(bounds[i]));
            }
            last.add(waits.get(4).toMillis());
        }
        assertThat(last).anyMatch(ms -> ms < 4).anyMatch(ms -> ms >= 36);
    }

    @Test
    void gives_up_after_the_last_attempt_with_the_last_error() {
        AtomicInteger calls = new AtomicInteger();

        assertThatThrownBy(() -> retry(3, Duration.ofSeconds(9))
                        .call(
                                () -> {
                                    throw new IllegalStateException("failure " + calls.incrementAndGet());
                                },
                                e -> true))
                .hasMessage("failure 3")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void does_not_repeat_what_cannot_be_cured() {
        AtomicInteger calls = new AtomicInteger();

        assertThatThrownBy(() -> retry(3, Duration.ofSeconds(9))
                        .call(
                                () -> {
                                    throw new IllegalArgumentException("failure " + calls.incrementAndGet());
                                },
                                e -> e instanceof IllegalStateException))
                .hasMessage("failure 1");
    }

    @Test
    void never_waits_beyond_the_deadline() {
        assertThatThrownBy(() -> retry(1_000_000, Duration.ofMillis(100))
                        .call(
                                () -> {
                                    throw new IllegalStateException("always");
                                },
                                e -> true))
                .hasMessage("always");

        assertThat(nanos).isLessThanOrEqualTo(Duration.ofMillis(100).toNanos());
    }
}
