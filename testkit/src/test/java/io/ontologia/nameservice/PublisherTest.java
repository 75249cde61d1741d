package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.RetryPolicy;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PublisherTest {
    private static final Alias DB = Alias.parse("mydb");

    private final SettableClock clock = new SettableClock();
    private final Nameservice names =
            Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    private final Publisher publisher = new Publisher(names, clock, new SplittableRandom(1));

    @BeforeEach
    void create() {
        names.create(NewRecord.ledger(DB));
    }

    @Test
    void a_newer_commit_replaces_an_older_one() {
        publisher.fastForward(DB, Concern.HEAD, head(3, "a"));

        assertThat(publisher.fastForward(DB, Concern.HEAD, head(7, "b")))
                .isEqualTo(new PublishOutcome.Published(head(7, "b")));
    }

    @Test
    void the_same_value_again_changes_nothing() {
        publisher.fastForward(DB, Concern.HEAD, head(3, "a"));

        assertThat(publisher.fastForward(DB, Concern.HEAD, head(3, "a")))
                .isEqualTo(new PublishOutcome.Unchanged(head(3, "a")));
    }

    @Test
    void the_same_t_at_another_address_and_an_older_t_are_divergence() {
        publisher.fastForward(DB, Concern.HEAD, head(3, "a"));

        assertThat(publisher.fastForward(DB, Concern.HEAD, head(3, "b")))
                .isEqualTo(new PublishOutcome.Diverged(head(3, "a")));
        assertThat(publisher.fastForward(DB, Concern.HEAD, head(2, "a")))
                .isEqualTo(new PublishOutcome.Diverged(head(3, "a")));
    }

    @Test
    void a_change_is_made_again_on_what_others_pushed() {
        int[] calls = {0};

        PublishOutcome outcome = publisher.change(DB, Concern.CONFIG, actual -> {
            if (calls[0]++ < 3) {
                names.push(DB, Concern.CONFIG, actual, actual.next(ConcernPayload.of(Map.of("theirs", calls[0]))));
            }
            return Optional.of(
                    actual.payload().orElse(ConcernPayload.of(Map.of())).with("ours", true));
        });

        assertThat(outcome)
                .isEqualTo(new PublishOutcome.Published(ConcernValue.of(4, Map.of("theirs", 3, "ours", true))));
    }

    @Test
    void attempts_and_time_are_bounded() {
        Publisher impatient = new Publisher(
                names,
                new RetryPolicy(4, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofSeconds(1)),
                clock,
                new SplittableRandom(1));
        int[] calls = {0};

        PublishOutcome outcome = impatient.change(DB, Concern.CONFIG, actual -> {
            names.push(DB, Concern.CONFIG, actual, actual.next(ConcernPayload.of(Map.of("n", calls[0]++))));
            return Optional.of(ConcernPayload.of(Map.of("ours", true)));
        });

        assertThat(outcome).isInstanceOf(PublishOutcome.Contended.class);
        assertThat(clock.now()).isBefore(SettableClock.START.plusSeconds(1));
    }

    @Test
    void an_unknown_name_is_an_error() {
        assertThatThrownBy(() -> publisher.fastForward(Alias.parse("ghost"), Concern.HEAD, head(1, "a")))
                .isInstanceOf(NameNotFoundException.class);
    }

    private static ConcernValue head(long t, String address) {
        return ConcernValue.of(t, Map.of("address", address, "t", t));
    }
}
