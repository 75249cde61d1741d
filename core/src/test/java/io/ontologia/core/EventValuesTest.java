package io.ontologia.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class EventValuesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456789Z");

    @Test
    void the_defaults_are_those_of_the_specification() {
        assertThat(EventOptions.defaults())
                .isEqualTo(new EventOptions(
                        Duration.ofMillis(1000),
                        100,
                        Duration.ofMillis(30_000),
                        10,
                        Duration.ofMillis(250),
                        Duration.ofMillis(30_000),
                        Duration.ofMillis(5000),
                        Duration.ofMillis(60_000),
                        20,
                        1000));
    }

    @Test
    void the_pause_after_failures_doubles_up_to_its_maximum() {
        EventOptions options = EventOptions.defaults();

        assertThat(List.of(1L, 2L, 3L, 6L, 7L, 62L, 63L, 1000L))
                .extracting(attempts -> options.backoff(attempts).toMillis())
                .containsExactly(500L, 1000L, 2000L, 16_000L, 30_000L, 30_000L, 30_000L, 30_000L);
        assertThat(EventOptions.of(Map.of("event_backoff_base_ms", "500", "event_backoff_max_ms", "100"))
                        .backoff(1))
                .isEqualTo(Duration.ofMillis(100));
        assertThat(EventOptions.of(Map.of("event_backoff_base_ms", "2147483647", "event_backoff_max_ms", "2147483647"))
                        .backoff(40))
                .isEqualTo(Duration.ofMillis(Integer.MAX_VALUE));
    }

    @Test
    void options_that_make_no_sense_are_refused_by_name() {
        assertRefused("event_max_attempts", () -> EventOptions.of(Map.of("event_max_attempts", "0")));
        assertRefused("session_ttl_ms", () -> EventOptions.of(Map.of("session_ttl_ms", "soon")));
    }

    @Test
    void what_is_left_open_is_filled_in_and_what_is_given_is_kept() {
        Event root = NewEvent.of("ns", "t", Map.of()).complete(NOW, new SplittableRandom(1));
        Event next = NewEvent.of("ns", "t", Map.of())
                .identity("me", NOW.plusSeconds(1))
                .causedBy(root)
                .complete(NOW, new SplittableRandom(1));

        assertThat(root.createdAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00.123456Z"));
        assertThat(root.rootEventId()).isEqualTo(root.id());
        assertThat(next.id()).isEqualTo("me");
        assertThat(next.rootEventId()).isEqualTo(root.id());
        assertThat(next.chainDepth()).isEqualTo(1);
    }

    @Test
    void an_event_that_cannot_be_stored_cannot_be_made() {
        assertRefused(
                "payload",
                () -> new NewEvent("ns", "t", "[1]", 1, Optional.empty(), Optional.empty(), Optional.empty(), 0));
        assertRefused(
                "chain depth",
                () -> new NewEvent("ns", "t", "{}", 1, Optional.empty(), Optional.empty(), Optional.empty(), -1));
        assertRefused("name", () -> NewEvent.of("", "t", Map.of()));
        assertRefused("namespace", () -> NewEvent.of("ä".repeat(50), "t", Map.of()));
    }

    @Test
    void the_status_is_that_of_the_furthest_handler() {
        ClaimState live = claim(Optional.empty(), Optional.empty(), NOW.plusSeconds(1));
        ClaimState over = claim(Optional.empty(), Optional.empty(), NOW);
        ClaimState acked = claim(Optional.of(NOW), Optional.empty(), NOW);
        ClaimState dead = claim(Optional.empty(), Optional.of(NOW), NOW);

        assertThat(EventStatus.of(List.of(), NOW)).isEqualTo(EventStatus.PENDING);
        assertThat(EventStatus.of(List.of(over), NOW)).isEqualTo(EventStatus.PENDING);
        assertThat(EventStatus.of(List.of(over, live), NOW)).isEqualTo(EventStatus.CLAIMED);
        assertThat(EventStatus.of(List.of(acked, live), NOW)).isEqualTo(EventStatus.ACKED);
        assertThat(EventStatus.of(List.of(acked, dead, live), NOW)).isEqualTo(EventStatus.DEAD_LETTERED);
        assertThat(EventStatus.DEAD_LETTERED.wireName()).isEqualTo("dead_lettered");
    }

    private static ClaimState claim(Optional<Instant> ackAt, Optional<Instant> deadAt, Instant leaseUntil) {
        return new ClaimState("e", "h", "s", NOW, leaseUntil, ackAt, 0, NOW, Optional.empty(), deadAt);
    }

    private static void assertRefused(String what, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining(what);
    }
}
