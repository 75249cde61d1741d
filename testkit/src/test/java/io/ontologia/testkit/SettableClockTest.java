package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettableClockTest {
    private final SettableClock clock = new SettableClock();

    @Test
    void sleeping_moves_the_clock_at_once() {
        clock.sleep(Duration.ofHours(1));

        assertThat(clock.now()).isEqualTo(SettableClock.START.plusSeconds(3600));
        assertThat(clock.monotonicNanos()).isEqualTo(Duration.ofHours(1).toNanos());
    }

    @Test
    void correcting_the_wall_clock_lets_no_time_pass() {
        clock.setWallClock(SettableClock.START.minusSeconds(60));

        assertThat(clock.now()).isEqualTo(SettableClock.START.minusSeconds(60));
        assertThat(clock.monotonicNanos()).isZero();
    }

    @Test
    void time_does_not_pass_backwards() {
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
    }
}
